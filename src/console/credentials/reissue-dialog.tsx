import { callUnaryMethod, useMutation, useQuery, useTransport } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ConfigurationService } from "../../../gen/learning_credentials/v1/configuration_service_pb.js";
import { type Credential, CredentialStatus } from "../../../gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import { LearnerRecordService } from "../../../gen/learning_credentials/v1/learner_record_service_pb.js";
import { readDocument } from "../documents/credential-document.js";
import { AsCode } from "../parts/as-code.js";
import { Button } from "../parts/button.js";
import { Dialog } from "../parts/dialog.js";
import { Failure } from "../parts/failure.js";
import { PdfView } from "../parts/pdf-view.js";
import { useWords } from "../reader/words.js";
import { ReasonField } from "./reason-field.js";

/** Replaces a credential by one from today's record. The new document is seen beside the old one first. */
export function ReissueDialog({
  credential,
  onClose,
}: {
  readonly credential: Credential;
  readonly onClose: () => void;
}) {
  const { credentials: words, parts } = useWords();
  const client = useQueryClient();
  const transport = useTransport();
  const navigate = useNavigate();
  const [reason, setReason] = useState("");
  const { uuid, username, configurationId } = credential;
  const learner = useQuery(LearnerRecordService.method.getLearner, { username });
  const { mutate, error, isPending } = useMutation(CredentialService.method.reissueCredential, {
    onSuccess: async (successor) => {
      await client.invalidateQueries();
      onClose();
      await navigate({ to: "/credentials/$uuid", params: { uuid: successor.uuid } });
    },
  });
  const newName = learner.data?.learner?.fullName;
  const isSameName = newName === credential.userFullName;

  async function preview(): Promise<Uint8Array> {
    const { pdf } = await callUnaryMethod(transport, ConfigurationService.method.previewCredential, {
      source: { case: "configurationId", value: configurationId },
      userFullName: newName ?? credential.userFullName,
    });
    return pdf;
  }

  return (
    <Dialog title={words.reissueOne} isWide isAlert onClose={onClose}>
      <p>{words.reissueMeans}</p>
      {newName !== undefined && (
        <p className="lead">
          {isSameName ? (
            <>
              {words.sameName} <bdi>{newName}</bdi>
            </>
          ) : (
            <>
              <del>
                <bdi>{credential.userFullName}</bdi>
              </del>{" "}
              <ins>
                <bdi>{newName}</bdi>
              </ins>
            </>
          )}
        </p>
      )}
      {isSameName && <p className="small faint">{words.nameIsThePlatforms}</p>}
      <div className="before-after">
        <div className="version">
          <h3>{words.before}</h3>
          {credential.status === CredentialStatus.AVAILABLE ? (
            <PdfView identity={uuid} label={words.before} load={() => readDocument(uuid)} />
          ) : (
            <p className="pdf-none">{words.noDocument.error}</p>
          )}
        </div>
        <div className="version">
          <h3>{words.after}</h3>
          {learner.isPending ? (
            <p className="pdf-none">{parts.documentLoading}</p>
          ) : (
            <PdfView identity={`preview ${newName}`} label={words.after} load={preview} />
          )}
        </div>
      </div>
      <ReasonField reason={reason} onChange={setReason} />
      {error && <Failure error={error} />}
      <AsCode method={CredentialService.method.reissueCredential} request={{ uuid, reason }} />
      <div className="dialog-actions">
        <Button onPress={onClose}>{parts.cancel}</Button>
        <Button
          look="primary"
          isDisabled={reason.trim() === "" || isPending}
          onPress={() => mutate({ uuid, reason: reason.trim() })}
        >
          {words.reissue}
        </Button>
      </div>
    </Dialog>
  );
}
