import { type Database, inOneStatement } from "#infrastructure/db/database.js";
import type { Credential } from "../credential.js";
import { findGenerating, recordAttempts } from "../credential-store.js";
import { inGroups } from "../in-groups.js";
import { type GeneratedFile, publishFiles } from "./publishing-store.js";

interface GeneratedDocument extends GeneratedFile {
  readonly credential: Credential;
}

/**
 * Creates the function that begins an attempt. The function returns `undefined` if the credential is not generating.
 *
 * The first run of a job only reads the credential, because the row already has the number of the first attempt.
 * Writing the row, with all its indexes, would cost a tenth of the database's work.
 */
export function createBeginning({
  knex,
}: Database): (id: number, isFirstRun: boolean) => Promise<Credential | undefined> {
  const read = inGroups<number, Credential>(async (ids) => byIds(ids, await findGenerating(knex, ids)));
  const supersede = inGroups<number, Credential>(async (ids, lockMode) => {
    const attempted = byIds(ids, await recordAttempts(knex, ids, lockMode));
    // If two jobs of a batch generate the same credential, the second one gets no result here. It is then run alone,
    // and begins its own attempt.
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

/** Milliseconds during which finished documents are collected, so that this step and later steps are batched. */
const BATCH_WINDOW_MS = 20;

/**
 * Creates the function that makes a credential available. The function returns `undefined` if the attempt was
 * superseded.
 */
export function createPublishing(database: Database): (made: GeneratedDocument) => Promise<true | undefined> {
  return inGroups<GeneratedDocument, true>(
    async (made, lockMode) => {
      const keys = await inOneStatement(database, (knex) => publishFiles(knex, made, lockMode));
      return made.map(({ file }) => keys.has(file.key) || undefined);
    },
    { apartMs: BATCH_WINDOW_MS },
  );
}
