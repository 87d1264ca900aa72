import { describeStatus } from "#foundation/credential-status.js";
import { failedPrecondition } from "#foundation/errors.js";
import { type Database, inTransaction } from "#infrastructure/db/database.js";
import type { Actor } from "#infrastructure/identity/actors.js";
import type { Credential } from "../credential.js";
import { findSuccessor, setReplaces } from "../credential-store.js";
import { appendEvents } from "../events/append-events.js";
import { lockCredentialOrThrow } from "../get-credential.js";

/** An invalidated credential, and the credential that was issued in its place. */
interface ReplacementLink {
  readonly uuid: string;
  readonly replacementUuid: string;
  readonly linkedBy: Actor;
}

/**
 * Links an invalidated credential without a successor to another credential of its learner, as if it had been
 * reissued. Returns the invalidated credential.
 * @throws Problem `not-found`; `failed-precondition` naming the credential that does not fit, and why
 */
export function linkReplacement(
  database: Database,
  { uuid, replacementUuid, linkedBy: actor }: ReplacementLink,
  signal: AbortSignal,
): Promise<Credential> {
  return inTransaction(database, signal, async (transaction) => {
    const invalidated = await lockCredentialOrThrow(transaction, uuid);
    const replacement = await lockCredentialOrThrow(transaction, replacementUuid);
    const successor = await findSuccessor(transaction, uuid);
    if (successor?.uuid === replacement.uuid) return { ...invalidated, replacedBy: successor.uuid };
    refuseInvalidated(invalidated, successor);
    refuseReplacement(replacement, invalidated);
    await setReplaces(transaction, replacement.uuid, invalidated.uuid);
    const reissued = { type: "reissued", before: "invalidated", after: "invalidated" } as const;
    await appendEvents(transaction, { ...reissued, actor }, [invalidated]);
    return { ...invalidated, replacedBy: replacement.uuid };
  });
}

function refuseInvalidated({ status, erasedAt }: Credential, successor: Credential | undefined): void {
  if (erasedAt) throw failedPrecondition("The learner was erased, so the credential can't be linked.");
  if (status !== "invalidated")
    throw failedPrecondition(
      `The credential ${describeStatus(status)}: only an invalidated credential can be marked as replaced.`,
    );
  if (successor) throw failedPrecondition(`The credential was already replaced, by ${successor.uuid}.`);
}

function refuseReplacement({ status, username, replaces }: Credential, invalidated: Credential): void {
  if (username !== invalidated.username)
    throw failedPrecondition(
      "The replacement belongs to another learner: only a credential of the same learner can be linked.",
    );
  if (status !== "available")
    throw failedPrecondition(
      `The replacement ${describeStatus(status)}: only an available one can be linked.`,
    );
  if (replaces !== null)
    throw failedPrecondition(`The replacement already replaces another credential, ${replaces}.`);
}
