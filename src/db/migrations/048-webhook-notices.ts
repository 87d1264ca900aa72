import type { Knex } from "knex";

const KINDS = "webhook_attempts_kind_check";
/** The only other check of this table that has no column of its own. */
const POSITIONS = "webhook_attempts_check";

/** Lists what told an endpoint that another was disabled among its attempts. Like a test, that has no position. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table webhook_attempts
      drop constraint ${KINDS},
      add constraint ${KINDS} check (kind in ('events', 'test', 'gap', 'notice')),
      drop constraint ${POSITIONS},
      add constraint ${POSITIONS} check (
        (first_position is null) = (kind in ('test', 'notice')) and (last_position is null) = (kind in ('test', 'notice'))
      );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from webhook_attempts where kind = 'notice';
    alter table webhook_attempts
      drop constraint ${KINDS},
      add constraint ${KINDS} check (kind in ('events', 'test', 'gap')),
      drop constraint ${POSITIONS},
      add constraint ${POSITIONS} check (
        (first_position is null) = (kind = 'test') and (last_position is null) = (kind = 'test')
      );
  `);
}
