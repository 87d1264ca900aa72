import { callUnaryMethod, useTransport } from "@connectrpc/connect-query";
import { useMutation } from "@tanstack/react-query";
import { CredentialService } from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import { Button } from "../components/button.js";
import { Failure } from "../components/failure.js";
import { saveFile } from "../components/save-file.js";
import { useChapter } from "../i18n/chapter.js";

/** Saves the badges of a learner's credentials in force, as one signed file. */
export function LearnerRecord({ username }: { readonly username: string }) {
  const words = useChapter("names");
  const transport = useTransport();
  const record = useMutation({
    mutationFn: () => callUnaryMethod(transport, CredentialService.method.getLearnerRecord, { username }),
    onSuccess: ({ content, mediaType }) =>
      saveFile("record.json", new Blob([new Uint8Array(content)], { type: mediaType })),
  });
  return (
    <div className="stack">
      <div>
        <Button isDisabled={record.isPending} onPress={() => record.mutate()}>
          {words.downloadRecord}
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
