import type { Database } from "#infrastructure/db/database.js";
import { inOneStatement } from "#infrastructure/db/transaction.js";
import type { Credential } from "../credential.js";
import { findGenerating, recordAttempts } from "../credential-store.js";
import { inGroups } from "../in-groups.js";
import { type MadeFile, publishFiles } from "./publishing-store.js";

/** A generated file, with its credential. */
export interface Made extends MadeFile {
  readonly credential: Credential;
}

/**
 * Creates the function that begins an attempt. It returns undefined if the credential is not, or no longer, generating.
 *
 * The first run of a job only reads the credential: the number in its row is the attempt's, until another run
 * supersedes it. Writing each row with all its indexes would cost a tenth of the database's work.
 */
export function createBeginning({
  knex,
}: Database): (id: number, isFirstRun: boolean) => Promise<Credential | undefined> {
  const read = inGroups<number, Credential>(async (ids) => byIds(ids, await findGenerating(knex, ids)));
  const supersede = inGroups<number, Credential>(async (ids, locked) => {
    const attempted = byIds(ids, await recordAttempts(knex, ids, locked));
    // A second job for the same credential gets an attempt of its own.
    return attempted.map((credential, index) =>
      ids.indexOf(credential?.id ?? 0) === index ? credential : undefined,
    );
  });
  return (id, isFirstRun) => (isFirstRun ? read(id) : supersede(id));
}

function byIds(ids: readonly number[], credentials: readonly Credential[]): (Credential | undefined)[] {
  const found = new Map(credentials.map((credential) => [credential.id, credential]));
  return ids.map((id) => found.get(id));
}

/**
 * How long finished documents are collected, in milliseconds, before they are published together, which also groups all
 * later steps.
 */
const APART_MS = 20;

/**
 * Creates the function that makes a credential available, with its event and mail. It returns true, or
 * undefined if the attempt was superseded.
 */
export function createPublishing(database: Database): (made: Made) => Promise<true | undefined> {
  return inGroups<Made, true>(
    async (made, locked) => {
      const keys = await inOneStatement(database, (knex) => publishFiles(knex, made, locked));
      return made.map(({ file }) => keys.has(file.key) || undefined);
    },
    { apartMs: APART_MS },
  );
}
