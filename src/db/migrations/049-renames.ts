import type { Knex } from "knex";

const BEFORE = [
  "issued",
  "available",
  "failed",
  "invalidated",
  "reissued",
  "emailed",
  "email_refused",
  "erased",
  "imported",
  "links_revoked",
  "expired",
  "renewed",
];

/** Lets events tell that the learner of a credential has another username. */
export async function up(knex: Knex): Promise<void> {
  await permit(knex, [...BEFORE, "renamed"]);
}

/** Sealed events keep their type. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw("lock table credentials, unsealed_credential_events in access exclusive mode");
  for (let sealed = 1; sealed > 0; ) {
    const { rows } = await knex.raw("select seal_credential_events(10000) as sealed");
    sealed = rows[0].sealed;
  }
  await permit(knex, BEFORE);
}

async function permit(knex: Knex, types: readonly string[]): Promise<void> {
  const listed = types.map((type) => `'${type}'`).join(", ");
  await knex.raw(`
    alter table unsealed_credential_events drop constraint unsealed_credential_events_type_check;
    alter table unsealed_credential_events add constraint unsealed_credential_events_type_check check (type in (${listed}))
  `);
}
