import type { Knex } from "knex";
import { Problem } from "../errors.js";
import type { Credential } from "./credential.js";
import { findCredential } from "./credential-store.js";
import { isUuid } from "./uuid.js";

/** @throws Problem `not-found`, also for what is no UUID */
export async function getCredential(db: Knex, uuid: string): Promise<Credential> {
  const credential = isUuid(uuid) ? await findCredential(db, uuid) : undefined;
  if (!credential) throw new Problem("not-found", "Credential not found.");
  return credential;
}
