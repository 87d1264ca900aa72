import { randomUUID } from "node:crypto";
import type { Knex } from "knex";
import { appendEvents, type CredentialEventType } from "../../../src/credentials/events/append-events.js";
import { sealEvents } from "../../../src/credentials/events/seal-events.js";

/** Appends as many events, each of another credential, in one transaction, as long ago as that. */
export async function append(knex: Knex, count: number, daysAgo = 0): Promise<void> {
  await knex.raw(
    `insert into unsealed_credential_events (
       type, credential_uuid, configuration_id, actor_id, status_after, occurred_at
     )
     select 'issued', gen_random_uuid(), 1, (select credential_event_actor('registrar')), 'generating',
       now() - make_interval(days => ?)
     from generate_series(1, ?)`,
    [daysAgo, count],
  );
}

/** The same, sealed. */
export async function seal(knex: Knex, count: number, daysAgo = 0): Promise<void> {
  await append(knex, count, daysAgo);
  while ((await sealEvents(knex, 5000)) > 0);
}

/** Appends an event that knows its place: the how-many-eth it is of its credential. */
export async function appendNumbered(
  transaction: Knex.Transaction,
  { uuid = randomUUID(), number = 1, type = "issued" as CredentialEventType },
): Promise<void> {
  const happening = { type, actor: "registrar", before: null, after: "generating" } as const;
  await appendEvents(transaction, happening, [{ uuid, configurationId: number }]);
}
