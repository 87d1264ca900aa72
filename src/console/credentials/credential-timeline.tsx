import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import {
  type CredentialEvent,
  CredentialEventType,
} from "#gen/learning_credentials/v1/credential_event_pb.js";
import type { Credential, CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { EventLine } from "../components/event-line.js";
import { Failure } from "../components/failure.js";
import { useRefetchLimit } from "../components/use-refetch-limit.js";
import { useWords } from "../i18n/words.js";

const MAX_EVENTS = 100;
/** Typical delay in milliseconds before an event is listed. */
const EVENT_DELAY_MS = 1000;
/** After this many refreshes in vain, the page stops waiting for an event, which may have been removed. */
const MAX_REFETCHES = 8;

export function CredentialTimeline({ credential }: { readonly credential: Credential }) {
  const { credentials: words } = useWords();
  const { uuid, status } = credential;
  const mayRefetch = useRefetchLimit(MAX_REFETCHES);
  const { data, error } = useQuery(
    CredentialService.method.listCredentialEvents,
    { credentialUuid: uuid, pageSize: MAX_EVENTS },
    {
      refetchInterval: ({ state: { data, dataUpdateCount } }) => {
        const awaited = reports(data?.events ?? [], status) ? undefined : status;
        return mayRefetch(awaited, dataUpdateCount) && EVENT_DELAY_MS;
      },
    },
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
      {data?.nextPageToken && (
        <Link to="/events" search={{ credential: uuid }}>
          {words.allEvents}
        </Link>
      )}
    </section>
  );
}

/** Returns whether one of the events led to this status, or erased the learner. */
function reports(events: readonly CredentialEvent[], status: CredentialStatus): boolean {
  return events.some((event) => event.statusAfter === status || event.type === CredentialEventType.ERASED);
}
