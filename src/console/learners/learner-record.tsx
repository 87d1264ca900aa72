import { callUnaryMethod, useTransport } from "@connectrpc/connect-query";
import { useMutation } from "@tanstack/react-query";
import {
  CredentialService,
  LearnerRecordFormat,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import { Button } from "../components/button.js";
import { Failure } from "../components/failure.js";
import { saveFile } from "../components/save-file.js";
import { useChapter, useLanguageTag } from "../i18n/words.js";

const names = { [LearnerRecordFormat.JSON]: "record.json", [LearnerRecordFormat.PDF]: "record.pdf" };

/** Saves the learner's valid badges, either as one signed file or as a PDF that lists them. */
export function LearnerRecord({ username }: { readonly username: string }) {
  const words = useChapter("names");
  const language = useLanguageTag();
  const transport = useTransport();
  const record = useMutation({
    mutationFn: (format: keyof typeof names) =>
      callUnaryMethod(transport, CredentialService.method.getLearnerRecord, { username, format, language }),
    onSuccess: ({ content, mediaType }, format) =>
      saveFile(names[format], new Blob([new Uint8Array(content)], { type: mediaType })),
  });
  return (
    <div className="stack">
      <div className="actions">
        <Button isDisabled={record.isPending} onPress={() => record.mutate(LearnerRecordFormat.JSON)}>
          {words.downloadRecord}
        </Button>
        <Button isDisabled={record.isPending} onPress={() => record.mutate(LearnerRecordFormat.PDF)}>
          {words.downloadRecordPdf}
        </Button>
      </div>
      <p className="small faint">{words.learnerRecordMeans}</p>
      {record.data?.isPartial && (
        <p role="status" className="small">
          {words.recordIsPartial}
        </p>
      )}
      {record.error && <Failure error={record.error} />}
    </div>
  );
}
