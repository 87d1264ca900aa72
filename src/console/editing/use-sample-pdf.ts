import { callUnaryMethod, useTransport } from "@connectrpc/connect-query";
import { useMutation } from "@tanstack/react-query";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { saveFile } from "../components/save-file.js";
import { useChapter } from "../i18n/words.js";
import type { Subject } from "./subject.js";
import type { EditedFields } from "./version.js";

/** Saves a document of the design, marked as a preview. */
export function useSamplePdf(subject: Subject, fields: EditedFields) {
  const words = useChapter("designer");
  const transport = useTransport();
  return useMutation({
    async mutationFn() {
      const method = ConfigurationService.method.previewCredential;
      const { pdf } = await callUnaryMethod(transport, method, subject.previewOf(fields, false));
      const name = (subject.type?.name ?? fields.name)?.replace(/[\\/:*?"<>|\s]+/g, " ").trim();
      saveFile(
        `${name || words.sample}.pdf`,
        new Blob([pdf as Uint8Array<ArrayBuffer>], { type: "application/pdf" }),
      );
    },
  });
}
