import type { Knex } from "knex";
import { queryRow } from "../db/query.js";

/** Where to send mails to a learner, according to the platform's current data. */
export interface Recipient {
  readonly address: string;
  /** BCP 47; may be empty. */
  readonly locale: string;
}

/** @returns undefined if the learner's record is withdrawn, inactive or without an address */
export async function findRecipient(db: Knex, username: string): Promise<Recipient | undefined> {
  return queryRow<Recipient>(
    db,
    `select email as address, locale from learners
     where username = ? and is_active and not is_deleted and email <> ''`,
    [username],
  );
}
