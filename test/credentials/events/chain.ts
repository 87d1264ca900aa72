import { randomUUID } from "node:crypto";
import type { Knex } from "knex";
import { appendEvents, type CredentialEventType } from "#domain/credentials/events/append-events.js";
import { sealEvents } from "#domain/credentials/events/seal-events.js";

/** Properties of appended events that the service itself would not write. */
interface Appended {
  readonly daysAgo?: number;
  readonly remarks?: readonly string[];
  readonly commitment?: Buffer;
}

/** Appends `count` events of different credentials in one transaction, with the rights of the tables' owner. */
export async function append(
  knex: Knex,
  count: number,
  { daysAgo = 0, remarks = [], commitment }: Appended = {},
): Promise<void> {
  await knex.raw(
    `insert into unsealed_credential_events (
       type, credential_uuid, configuration_id, actor_id, status_after, occurred_at, remarks, commitment
     )
     select 'issued', gen_random_uuid(), 1, (select credential_event_actor('registrar', 'user')), 'generating',
       now() - make_interval(days => ?), ?, ?
     from generate_series(1, ?)`,
    [daysAgo, remarks as string[], commitment ?? null, count] as Knex.RawBinding[],
  );
}

/** Appends and seals events. */
export async function seal(knex: Knex, count: number, appended?: Appended): Promise<void> {
  await append(knex, count, appended);
  await sealAll(knex);
}

/** Seals all events, and waits for events that the service is just sealing, because `sealEvents` doesn't count them. */
export async function sealAll(knex: Knex): Promise<void> {
  const isAnyLeft = async () =>
    (await knex.raw("select exists (select from unsealed_credential_events) as any_left")).rows[0].any_left;
  while (await isAnyLeft()) await sealEvents(knex, 5000);
}

/** Appends an event that records its number among the events of its credential. */
export async function appendNumbered(
  transaction: Knex.Transaction,
  { uuid = randomUUID(), number = 1, type = "issued" as CredentialEventType },
): Promise<void> {
  const happening = {
    type,
    actor: { kind: "user", name: "registrar" },
    before: null,
    after: "generating",
  } as const;
  await appendEvents(transaction, happening, [{ uuid, configurationId: number }]);
}
