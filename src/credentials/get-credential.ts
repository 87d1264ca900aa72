import type { Knex } from "knex";
import { Problem } from "../errors.js";
import type { Credential } from "./credential.js";
import { findCredential } from "./credential-store.js";
import { isUuid } from "./uuid.js";

/** @throws Problem `not-found`, also for what is no UUID */
export function getCredential(db: Knex, uuid: string): Promise<Credential> {
  return existing(uuid, () => findCredential(db, uuid));
}

/**
 * The credential that `find` gives, which is only asked about a UUID.
 * @throws Problem `not-found`
 */
export async function existing(
  uuid: string,
  find: () => Promise<Credential | undefined>,
): Promise<Credential> {
  const credential = isUuid(uuid) ? await find() : undefined;
  if (!credential) throw noSuchCredential();
  return credential;
}

/** It says the same of every credential that is not to be found, whatever the reason. */
export function noSuchCredential(): Problem {
  return new Problem("not-found", "Credential not found.");
}
