import { type Timestamp, timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { Link } from "@tanstack/react-router";
import { CredentialEventType } from "#gen/learning_credentials/v1/credential_event_pb.js";
import { type Credential, CredentialEmailState } from "#gen/learning_credentials/v1/credential_pb.js";
import { ActorName } from "../components/actor-name.js";
import { CopyButton } from "../components/copy-button.js";
import { Fact } from "../components/fact.js";
import { useFormats, useWords } from "../i18n/words.js";

export function CredentialFacts({ credential }: { readonly credential: Credential }) {
  const { credentials: words, events, shell } = useWords();
  const { moment, day } = useFormats();
  const {
    createTime: created,
    emailTime: emailed,
    email,
    expireTime: validUntil,
    importTime: imported,
    issuanceRunId,
  } = credential;
  return (
    <dl className="facts card">
      <Fact label={words.learner}>
        <Link to="/learners/$username" params={{ username: credential.username }}>
          <bdi>{credential.username}</bdi>
        </Link>
      </Fact>
      <Fact label={words.context}>
        <bdi>{credential.learningContextName}</bdi>
        <span className="second">
          <code dir="ltr">{credential.learningContextKey}</code>
        </span>
      </Fact>
      {created && (
        <Fact label={words.issued}>
          <time dateTime={isoOf(created)}>{moment(created)}</time>
          {credential.issuedBy !== "" && (
            <span className="second">
              {words.by} <ActorName of={credential.issuedBy} />
            </span>
          )}
        </Fact>
      )}
      {validUntil && <Fact label={words.validUntil}>{day(lastMomentOf(validUntil))}</Fact>}
      <Fact label={words.mail}>
        {emailed
          ? words.emailedOn({ date: moment(emailed) })
          : email?.state === CredentialEmailState.WAITING
            ? words.emailQueued
            : words.notEmailed}
        <span className="second">
          <Link to="/emails" search={{ credential: credential.uuid }}>
            {shell.emails}
          </Link>
        </span>
      </Fact>
      {imported && (
        <Fact label={events.types[CredentialEventType.IMPORTED]}>
          {moment(imported)}{" "}
          <span className="second">
            <bdi>{credential.issuer}</bdi>
          </span>
        </Fact>
      )}
      {issuanceRunId !== "" && (
        <Fact label={words.run}>
          <Link to="/credentials" search={{ run: issuanceRunId }}>
            <code>{issuanceRunId}</code>
          </Link>
        </Fact>
      )}
      <Fact label={words.verifyUuid}>
        <code>{credential.verifyUuid}</code>
        <CopyButton text={credential.verifyUuid} />
      </Fact>
      <Fact label={words.uuid}>
        <code>{credential.uuid}</code>
        <CopyButton text={credential.uuid} />
      </Fact>
    </dl>
  );
}

function isoOf({ seconds }: { readonly seconds: bigint }): string {
  return new Date(Number(seconds) * 1000).toISOString();
}

/** Returns the last moment of validity. A credential expires one moment later, when the next day begins. */
function lastMomentOf(validUntil: Timestamp): Timestamp {
  return timestampFromMs(timestampMs(validUntil) - 1);
}
