import type { MessageInitShape } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import {
  ConfigurationService,
  type PreviewCredentialRequestSchema,
} from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { useWords } from "../i18n/words.js";
import { Failure } from "./failure.js";
import { PdfView } from "./pdf-view.js";

export type PreviewRequest = MessageInitShape<typeof PreviewCredentialRequestSchema>;

/** A preview of a design's document. It is marked as a preview, and nothing is issued. */
export function DesignPreview({
  request,
  label,
  isKept = false,
}: {
  readonly request: PreviewRequest;
  readonly label: string;
  /** Whether to keep the last preview, because a new request would be refused. */
  readonly isKept?: boolean;
}) {
  const { parts } = useWords();
  const { data, error } = useQuery(ConfigurationService.method.previewCredential, request, {
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0, // not cached, because a document may be large
    ...(isKept && { enabled: false }),
  });
  if (error) return <Failure error={error} />;
  if (!data) return <p className="pdf-none">{parts.documentLoading}</p>;
  return <PdfView identity={JSON.stringify(request)} label={label} load={async () => data.pdf} />;
}
