import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { findCredentials } from "#domain/credentials/credential-store.js";
import type * as domain from "#domain/credentials/events/append-events.js";
import type { CredentialEvent } from "#domain/credentials/events/credential-event.js";
import { type EventFilter, listEvents } from "#domain/credentials/events/event-store.js";
import { type Cursor, type WatchingDeps, watchEvents } from "#domain/credentials/events/watch-events.js";
import { Problem, quoted, wrongField } from "#foundation/errors.js";
import { MAX_NAME } from "#foundation/limits.js";
import { checkText } from "#foundation/text/check-text.js";
import {
  ActorKind,
  CredentialEventRemark,
  type CredentialEventSchema,
  CredentialEventType,
  CredentialEventTypeSchema,
} from "#gen/learning_credentials/v1/credential_event_pb.js";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import type {
  CredentialService,
  ListCredentialEventsRequest,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import { inSnapshot } from "#infrastructure/db/database.js";
import { organisationsOf } from "#infrastructure/identity/caller.js";
import type { Handlers } from "../../pipeline/handlers.js";
import { presentCredentialToStaff, presentedStatus } from "../presentation/present.js";
import { checkUuid } from "../requests/check-request.js";
import { readPageById } from "../requests/page.js";
import { numbersByName, parseEnum } from "../requests/parse-enum.js";
import { parseRange } from "../requests/timestamps.js";

export function eventHandlers(watching: WatchingDeps) {
  return {
    async listCredentialEvents(request, { caller, signal }) {
      const filter = { ...parseFilter(request), organisations: organisationsOf(caller) };
      return inSnapshot(watching.database, signal, async (transaction) => {
        const { shown, nextPageToken } = await readPageById(
          request,
          ["credential events", filter],
          ({ position }: CredentialEvent) => position,
          ({ afterId, limit }) => listEvents(transaction, filter, afterId, limit),
        );
        const uuids = new Set(request.withCredentials ? shown.map((event) => event.credentialUuid) : []);
        const credentials = uuids.size > 0 ? await findCredentials(transaction, [...uuids]) : [];
        return {
          events: shown.map(presentEvent),
          nextPageToken,
          credentials: credentials.map((credential) => presentCredentialToStaff(credential)),
        };
      });
    },

    async *watchCredentialEvents({ afterPosition, afterHash }, { caller, signal }) {
      const cursor = parseCursor(afterPosition, afterHash);
      for await (const events of watchEvents(watching, cursor, signal, organisationsOf(caller))) {
        yield { events: events.map(presentEvent) };
      }
    },
  } satisfies Partial<Handlers<typeof CredentialService>>;
}

function parseFilter(request: ListCredentialEventsRequest): EventFilter {
  const { credentialUuid, actor } = request;
  if (credentialUuid !== "") checkUuid("credential_uuid", credentialUuid, "the uuid of a credential");
  checkText("actor", actor, { min: 0, max: MAX_NAME });
  const range = parseRange("", ["start_time", request.startTime], ["end_time", request.endTime]);
  const types = [...new Set(request.types)].map((type) => eventTypeOf("types", type)).sort();
  return { credentialUuid: credentialUuid === "" ? null : credentialUuid, actor, types, ...range };
}

function parseCursor(position: bigint, hash: string): Cursor {
  if (position < 0n) throw wrongField("after_position", `is ${position}; it must be at least 0.`);
  if (position > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new Problem(
      "out-of-range",
      `after_position is ${position}, but positions of this service are at most ${Number.MAX_SAFE_INTEGER}.`,
    );
  }
  if (hash !== "" && !/^[0-9a-f]{64}$/.test(hash)) {
    throw wrongField(
      "after_hash",
      `is ${quoted(hash)}; it must be the hash of an event, 64 lower-case hexadecimal digits.`,
    );
  }
  if (hash !== "" && position === 0n) {
    throw wrongField(
      "after_hash",
      "is given, but after_position is 0: leave after_hash empty to start with the first event.",
    );
  }
  return { position: Number(position), hash };
}

export const presentedType = numbersByName(CredentialEventType);

/** @throws Problem `invalid` if the event type is unknown */
export function eventTypeOf(field: string, wireType: CredentialEventType): domain.CredentialEventType {
  return parseEnum(field, presentedType, wireType, CredentialEventTypeSchema);
}

const presentedKind = numbersByName(ActorKind);

const presentedRemark = numbersByName(CredentialEventRemark);

function presentEvent(event: CredentialEvent): MessageInitShape<typeof CredentialEventSchema> {
  const { actorKind, statusBefore, statusAfter } = event;
  return {
    position: BigInt(event.position),
    type: presentedType[event.type],
    credentialUuid: event.credentialUuid,
    configurationId: event.configurationId,
    actor: event.actor,
    actorKind: presentedKind[actorKind],
    time: timestampFromDate(event.occurredAt),
    statusBefore: statusBefore === null ? CredentialStatus.UNSPECIFIED : presentedStatus[statusBefore],
    statusAfter: presentedStatus[statusAfter],
    remarks: event.remarks.map((remark) => presentedRemark[remark]),
    hash: event.hash,
  };
}
