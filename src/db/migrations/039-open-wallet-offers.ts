import type { Knex } from "knex";

/** Allows offers to wallets without a transaction code, for holders who have opened a secret link already. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw("alter table wallet_offers alter column tx_code_hash drop not null");
}

/** Voids the offers that the former version could not redeem. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from wallet_offers where tx_code_hash is null;
    alter table wallet_offers alter column tx_code_hash set not null;
  `);
}
