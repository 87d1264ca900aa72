import type { MessageInitShape } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import {
  ConfigurationService,
  type PreviewCredentialRequestSchema,
} from "../../../gen/learning_credentials/v1/configuration_service_pb.js";
import { Failure } from "../components/failure.js";
import { PdfView } from "../components/pdf-view.js";
import { useChapter } from "../i18n/chapter.js";

export type PreviewRequest = MessageInitShape<typeof PreviewCredentialRequestSchema>;

/** The document that a design makes, marked as a preview; nothing is issued. */
export function DesignPreview({ request }: { readonly request: PreviewRequest }) {
  const { preview } = useChapter("designing");
  const { data, error } = useQuery(ConfigurationService.method.previewCredential, request, {
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0, // a document may be large
  });
  if (error) return <Failure error={error} />;
  if (!data) return <p className="faint">{preview}…</p>;
  return <PdfView identity={JSON.stringify(request)} label={preview} load={async () => data.pdf} />;
}
