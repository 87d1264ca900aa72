import { textFor } from "#foundation/languages/message.js";
import {
  type CredentialEvent,
  CredentialEventRemark,
  CredentialEventType,
} from "#gen/learning_credentials/v1/credential_event_pb.js";
import { useFormats, useWords } from "../i18n/words.js";
import { ActorName } from "./actor-name.js";

const tones: Partial<Record<CredentialEventType, string>> = {
  [CredentialEventType.AVAILABLE]: "good",
  [CredentialEventType.FAILED]: "bad",
  [CredentialEventType.INVALIDATED]: "bad",
  [CredentialEventType.EMAIL_REFUSED]: "warn",
  [CredentialEventType.EXPIRED]: "warn",
};

export function EventLine({ event }: { readonly event: CredentialEvent }) {
  const { events: words } = useWords();
  const { moment } = useFormats();
  const remarks = event.remarks.filter((each) => each !== CredentialEventRemark.UNSPECIFIED);
  return (
    <li className={`event tone-${tones[event.type] ?? "plain"}`}>
      <p className="event-what">{textFor(words.types, event.type) ?? words.unknown}</p>
      <p className="small faint">
        {event.time && <time>{moment(event.time)}</time>}
        {event.actor !== "" && (
          <>
            {" · "}
            <ActorName of={event.actor} />
          </>
        )}
      </p>
      {remarks.map((remark) => (
        <p key={remark} className="small">
          {words.remarks[remark]}
        </p>
      ))}
    </li>
  );
}
