import type { Knex } from "knex";
import { type CredentialStatus, statusWord } from "#foundation/credential-status.js";
import { failedPrecondition, Problem } from "#foundation/errors.js";
import type { Credential } from "./credential.js";
import { findCredential, lockCredential } from "./credential-store.js";
import { isUuid } from "./uuid.js";

/** @throws Problem `not-found`, also if `uuid` is not a UUID */
export function getCredential(db: Knex, uuid: string): Promise<Credential> {
  return existing(uuid, () => findCredential(db, uuid));
}

/**
 * Returns the credential and locks it until the transaction ends.
 * @throws Problem `not-found`, also if `uuid` is not a UUID
 */
export function getLocked(transaction: Knex.Transaction, uuid: string): Promise<Credential> {
  return existing(uuid, () => lockCredential(transaction, uuid));
}

/**
 * Returns the credential that `find` finds. `find` is called only if `uuid` is a UUID.
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

/** Returns the same error whatever the reason, so that it reveals nothing. */
export function noSuchCredential(): Problem {
  return new Problem("not-found", "Credential not found.", { reason: "CREDENTIAL_NOT_FOUND" });
}

/** @param right a sentence about the required status, without its full stop */
export function wrongStatus(status: CredentialStatus, right: string): Problem {
  const message = `The credential is ${statusWord(status)}: ${right}.`;
  return failedPrecondition(message, { reason: "WRONG_STATUS", facts: { status } });
}
