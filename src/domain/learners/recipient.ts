import { type Knex, query } from "#infrastructure/db/query.js";
import { currentEmail } from "./current-email.js";

/** The recipient of emails to a learner, from the learner's current record and its corrections. */
export interface Recipient {
  readonly address: string;
  /** BCP 47 tag; may be empty. */
  readonly locale: string;
}

/** Returns recipients by username. Learners whose record is withdrawn, inactive or without an address are left out. */
export async function findRecipients(
  db: Knex,
  usernames: readonly string[],
): Promise<ReadonlyMap<string, Recipient>> {
  const { rows } = await query<Recipient & { username: string }>(
    db,
    "find_recipients",
    `select username, ${currentEmail()} as address, locale from learners
     where username = any (?::text[]) and is_active and not is_deleted and ${currentEmail()} <> ''`,
    [usernames],
  );
  return new Map(rows.map((recipient) => [recipient.username, recipient]));
}
