import { Link } from "@tanstack/react-router";
import type { Credential } from "#gen/learning_credentials/v1/credential_pb.js";
import { useFormats, useWords } from "../i18n/words.js";

export function CredentialNotices({ credential }: { readonly credential: Credential }) {
  const { credentials: words } = useWords();
  const { moment } = useFormats();
  const {
    errorReason,
    invalidateTime: invalidated,
    invalidationReason,
    replacedByUuid,
    replacesUuid,
  } = credential;
  return (
    <>
      {errorReason !== "" && (
        <div className="notice notice-bad">
          <p className="notice-heading">{words.noDocument.error}</p>
          <p lang="en" dir="ltr">
            {errorReason}
          </p>
        </div>
      )}
      {invalidated && (
        <div className="notice notice-bad">
          <p className="notice-heading">{words.invalidatedOn({ date: moment(invalidated) })}</p>
          {invalidationReason !== "" && (
            <p>
              <bdi>{invalidationReason}</bdi>
            </p>
          )}
          {replacedByUuid !== "" && (
            <Link to="/credentials/$uuid" params={{ uuid: replacedByUuid }}>
              {words.toSuccessor}
            </Link>
          )}
        </div>
      )}
      {replacesUuid !== "" && (
        <div className="notice">
          <Link to="/credentials/$uuid" params={{ uuid: replacesUuid }}>
            {words.toPredecessor}
          </Link>
        </div>
      )}
    </>
  );
}
