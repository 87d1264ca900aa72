import { type CredentialStatus, describeStatus } from "#foundation/credential-status.js";
import { failedPrecondition, Problem } from "#foundation/errors.js";
import type { Knex } from "#infrastructure/db/query.js";
import type { Credential } from "./credential.js";
import { findCredential, lockCredential } from "./credential-store.js";
import { isUuid } from "./uuid.js";

/** @throws Problem `not-found`, also if `uuid` is not a UUID */
export function getCredential(db: Knex, uuid: string): Promise<Credential> {
  return findOrThrow(uuid, () => findCredential(db, uuid));
}

/** Locks the credential until the transaction ends. @throws Problem `not-found`, also if `uuid` is not a UUID */
export function lockCredentialOrThrow(transaction: Knex.Transaction, uuid: string): Promise<Credential> {
  return findOrThrow(uuid, () => lockCredential(transaction, uuid));
}

/** Calls `find` only if `uuid` is a UUID. @throws Problem `not-found` */
export async function findOrThrow(
  uuid: string,
  find: () => Promise<Credential | undefined>,
): Promise<Credential> {
  const credential = isUuid(uuid) ? await find() : undefined;
  if (!credential) throw noSuchCredential();
  return credential;
}

/** The error is the same in every case, so that it doesn't reveal whether a credential exists. */
export function noSuchCredential(): Problem {
  return new Problem("not-found", "Credential not found.", { reason: "CREDENTIAL_NOT_FOUND" });
}

/** @param right what the status must be, as a sentence without its full stop */
export function wrongStatus(status: CredentialStatus, right: string): Problem {
  const message = `The credential ${describeStatus(status)}: ${right}.`;
  return failedPrecondition(message, { reason: "WRONG_STATUS", facts: { status } });
}
