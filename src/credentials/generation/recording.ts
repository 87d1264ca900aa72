import type { Database } from "../../db/database.js";
import { inTransaction, NOBODY_LEAVES } from "../../db/transaction.js";
import { WORKER } from "../../identity/actors.js";
import { enqueueJobs } from "../../jobs/enqueue.js";
import type { Credential } from "../credential.js";
import { type MadeFile, recordAttempts, setAvailable } from "../credential-store.js";
import { noteQueued } from "../download/mail-store.js";
import { appendEvents, type NewEvent } from "../events/append-events.js";
import { inGroups } from "../in-groups.js";

const MADE: NewEvent = { type: "available", actor: WORKER, before: "generating", after: "available" };

/** A file that was made, and the credential it belongs to. */
export interface Made extends MadeFile {
  readonly credential: Credential;
}

/**
 * Creates the function that begins an attempt. It returns undefined if the credential is not generating (any
 * more).
 */
export function createBeginning({ knex }: Database): (id: number) => Promise<Credential | undefined> {
  return inGroups<number, Credential>(async (ids, locked) => {
    const attempted = await recordAttempts(knex, ids, locked);
    const begun = new Map(attempted.map((credential) => [credential.id, credential]));
    return ids.map((id) => {
      const credential = begun.get(id);
      begun.delete(id); // a second job for it has an attempt of its own
      return credential;
    });
  });
}

/**
 * Creates the function that makes a credential available, with its event, and the mail in the same
 * transaction. It returns true, or undefined if the attempt was superseded.
 */
export function createPublishing(database: Database): (made: Made) => Promise<true | undefined> {
  return inGroups<Made, true>((made, locked) =>
    inTransaction(database, NOBODY_LEAVES, async (transaction) => {
      const keys = await setAvailable(transaction, made, locked);
      const won = made.map(({ file }) => keys.has(file.key));
      const credentials = made.filter((_, index) => won[index]).map(({ credential }) => credential);
      if (credentials.length > 0) {
        const uuids = credentials.map(({ uuid }) => uuid);
        await appendEvents(transaction, MADE, credentials);
        await noteQueued(transaction, uuids);
        await enqueueJobs(
          transaction,
          uuids.map((credentialUuid) => ({ task: "send_mail", payload: { credentialUuid } })),
        );
      }
      return won.map((hasWon) => hasWon || undefined);
    }),
  );
}
