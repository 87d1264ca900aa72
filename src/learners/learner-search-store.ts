import type { Query } from "../db/transaction.js";

/** Learners whose addresses have the same beginning, beyond which a search by address is not carried on. */
const MAX_SAME_ADDRESS = 1000;

/**
 * Returns the query for the usernames of learners with this address, or with one that begins like this. A username
 * that looks like an address is found, too.
 */
export function withAddress(address: string): Query {
  const start = address.toLowerCase().replace(/[\\%_]/g, "\\$&");
  return {
    sql: `(select username from learners where lower(email) collate "C" like ? and email <> '' limit ${MAX_SAME_ADDRESS})
      union select ?`,
    bindings: [`${start}%`, address],
  };
}
