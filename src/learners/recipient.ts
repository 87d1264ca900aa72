import type { Knex } from "knex";

/** Where mails to a learner go, as the platform tells now. */
export interface Recipient {
  readonly address: string;
  /** BCP 47; may be empty. */
  readonly locale: string;
}

/** @returns undefined for a learner who is withdrawn, not active or without an address */
export async function findRecipient(db: Knex, username: string): Promise<Recipient | undefined> {
  const { rows } = await db.raw(
    `select email as address, locale from learners
     where username = ? and is_active and not is_deleted and email <> ''`,
    [username],
  );
  return rows[0];
}
