import { useQuery } from "@connectrpc/connect-query";
import { useRef } from "react";
import { ConfigurationService, PreviewStamp } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import type { PreviewRequest } from "./design-preview.js";
import { PageCanvas } from "./page-canvas.js";
import { useIsSeen } from "./use-is-seen.js";
import "./document-thumbnail.css";

/** Designs seldom change. */
const STALE_AFTER_MS = 60_000;

/**
 * A small picture of a document of a type or configuration. It is decorative, and drawn when it first comes into view.
 */
export function DocumentThumbnail({ source }: { readonly source: PreviewRequest["source"] }) {
  const place = useRef<HTMLSpanElement>(null);
  const isSeen = useIsSeen(place);
  const { data } = useQuery(
    ConfigurationService.method.previewCredential,
    { source, stamp: PreviewStamp.CORNER },
    { enabled: isSeen, staleTime: STALE_AFTER_MS, retry: false },
  );
  return (
    <span ref={place} className="document-thumbnail" aria-hidden="true">
      {data && <PageCanvas pdf={data.pdf} label="" />}
    </span>
  );
}
