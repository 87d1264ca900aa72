import { useQuery } from "@connectrpc/connect-query";
import type { Credential } from "../../../gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import { EventLine } from "../parts/event-line.js";
import { Failure } from "../parts/failure.js";
import { useWords } from "../reader/words.js";

const MAX_EVENTS = 100;

/** What happened to a credential, by whom, the latest first. */
export function CredentialTimeline({ credential }: { readonly credential: Credential }) {
  const { credentials: words } = useWords();
  const { data, error } = useQuery(
    CredentialService.method.listCredentialEvents,
    { credentialUuid: credential.uuid, pageSize: MAX_EVENTS },
    // An event is listed within a second after what it tells.
    { refetchInterval: ({ state }) => (state.data?.events.length ? false : 1000) },
  );
  return (
    <section className="card padded" aria-label={words.timeline}>
      <h2>{words.timeline}</h2>
      {error && <Failure error={error} />}
      <ol className="timeline">
        {data?.events.map((event) => (
          <EventLine key={String(event.position)} event={event} />
        ))}
      </ol>
    </section>
  );
}
