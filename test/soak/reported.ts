import { type Credential, CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import type { Offer, Reported, Status } from "./knowledge.js";
import { wrong } from "./wrong-answer.js";

const statuses: Partial<Record<CredentialStatus, Status>> = {
  [CredentialStatus.GENERATING]: "generating",
  [CredentialStatus.AVAILABLE]: "available",
  [CredentialStatus.ERROR]: "error",
  [CredentialStatus.INVALIDATED]: "invalidated",
};

export function statusOf(status: CredentialStatus): Status {
  return statuses[status] ?? wrong(`${status} is no status`);
}

/** Checks that the fields of a complete credential message are consistent, and reads them. */
export function reportedBy(credential: Credential, offers: readonly Offer[]): Reported {
  const {
    uuid,
    verifyUuid,
    username,
    userFullName,
    configurationId,
    createTime: created,
    fileSha256,
    fileSize,
  } = credential;
  const status = statusOf(credential.status);
  const offer = offers.find((each) => each.configurationId === configurationId);
  if (
    credential.credentialType !== offer?.credentialType ||
    credential.learningContextKey !== offer.learningContextKey ||
    credential.learningContextName !== offer.learningContextName
  )
    wrong(`type or context are not those of configuration ${configurationId}`);
  const isMade = status === "available" || status === "invalidated";
  if (isMade !== /^[0-9a-f]{64}$/.test(fileSha256) || isMade !== fileSize > 0)
    wrong("the file does not fit the status");
  if (credential.errorReason !== "") wrong("it has failed");
  if ((credential.invalidationReason !== "") !== (status === "invalidated"))
    wrong("the reason does not fit the status");
  if (credential.replacedByUuid !== "" && status !== "invalidated") wrong("it was replaced and is in force");
  return {
    uuid,
    username,
    configurationId,
    status,
    userFullName,
    replacedByUuid: credential.replacedByUuid,
    ...(status === "invalidated" && { invalidationReason: credential.invalidationReason }),
    facts: {
      verifyUuid,
      created: Number(created?.seconds),
      replacesUuid: credential.replacesUuid,
      ...(isMade && { fileSha256, fileSize }),
    },
  };
}
