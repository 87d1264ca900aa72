import { createHash } from "node:crypto";
import type { Knex } from "knex";
import { VERSION } from "#foundation/version.js";
import { addAuditNames } from "./audit/add-audit-names.js";
import { appendAuditEntries } from "./audit/append-audit-entries.js";
import { appendAuditOutcomes } from "./audit/append-audit-outcomes.js";
import { auditLearnerNames } from "./audit/audit-learner-names.js";
import { pseudonymiseAuditNames } from "./audit/pseudonymise-audit-names.js";
import { removeOldAuditEntries } from "./audit/remove-old-audit-entries.js";
import { addSearchWords } from "./credentials/add-search-words.js";
import { credentialCommitment } from "./credentials/credential-commitment.js";
import { namePlatform } from "./credentials/name-platform.js";
import { timeOrderedUuid } from "./credentials/time-ordered-uuid.js";
import { checkCredentialEventActors } from "./events/check-credential-event-actors.js";
import { checkRemovedCredentialEvents } from "./events/check-removed-credential-events.js";
import { checkSealedCredentialEvents } from "./events/check-sealed-credential-events.js";
import { commitToActor } from "./events/commit-to-actor.js";
import { commitToCredential } from "./events/commit-to-credential.js";
import { credentialEventActor } from "./events/credential-event-actor.js";
import { credentialEventActorCommitment } from "./events/credential-event-actor-commitment.js";
import { credentialEventChain } from "./events/credential-event-chain.js";
import { credentialEventPartitions } from "./events/credential-event-partitions.js";
import { credentialEventsPerPartition } from "./events/credential-events-per-partition.js";
import { dropOldCredentialEvents } from "./events/drop-old-credential-events.js";
import { eraseCredentialEventActor } from "./events/erase-credential-event-actor.js";
import { makeRoomForCredentialEvents } from "./events/make-room-for-credential-events.js";
import { refuseCredentialEventChange } from "./events/refuse-credential-event-change.js";
import { removeOldCredentialEvents } from "./events/remove-old-credential-events.js";
import { sealCredentialEvents } from "./events/seal-credential-events.js";
import { announceJobs } from "./jobs/announce-jobs.js";
import { dropCorrection } from "./learners/drop-correction.js";
import { dropEmailCorrection } from "./learners/drop-email-correction.js";
import { wordEnds } from "./learners/word-ends.js";

/**
 * Functions that are called by defaults, triggers and indexes of tables. They are created before the tables, and need
 * none of them.
 */
const calledByTables = [
  timeOrderedUuid,
  namePlatform,
  addSearchWords,
  refuseCredentialEventChange,
  commitToActor,
  commitToCredential,
  checkCredentialEventActors,
  checkSealedCredentialEvents,
  checkRemovedCredentialEvents,
  announceJobs,
  dropCorrection,
  dropEmailCorrection,
  wordEnds,
];

/** All functions, in the order of their creation: an SQL function needs the functions that it calls. */
const functions = [
  ...calledByTables,
  credentialCommitment,
  credentialEventActorCommitment,
  credentialEventActor,
  eraseCredentialEventActor,
  credentialEventChain,
  credentialEventsPerPartition,
  credentialEventPartitions,
  makeRoomForCredentialEvents,
  sealCredentialEvents,
  dropOldCredentialEvents,
  removeOldCredentialEvents,
  auditLearnerNames,
  addAuditNames,
  appendAuditEntries,
  appendAuditOutcomes,
  pseudonymiseAuditNames,
  removeOldAuditEntries,
];

const SHA256 = createHash("sha256").update(functions.join("")).digest("hex");

/** The version of the service that created the functions of a database. */
export interface FunctionsOrigin {
  readonly version: string;
  /** SHA-256 of the functions' text, in hexadecimal. */
  readonly sha256: string;
}

/**
 * Returns whether the functions can stay, because they have the same text or come from a newer release. An older
 * release doesn't replace the functions of a newer one.
 */
export function areUpToDate(origin: FunctionsOrigin | null | undefined): boolean {
  if (!origin) return false;
  if (origin.sha256 === SHA256) return true;
  const order = releaseOf(origin.version).localeCompare(releaseOf(VERSION), "en", { numeric: true });
  return order > 0;
}

/** Returns 1.2.0 for a pre-release such as 1.2.0-rc.1. */
function releaseOf(version: string): string {
  return version.replace(/[-+].*/, "");
}

/**
 * Creates the functions. Takes no lock that would make a call wait.
 * @returns false if the functions are up to date
 */
export async function createDatabaseFunctions(knex: Knex): Promise<boolean> {
  return knex.transaction(async (transaction) => {
    const { rows } = await transaction.raw(
      `select version, encode(sha256, 'hex') as sha256 from database_functions`,
    );
    if (areUpToDate(rows[0])) return false;
    await create(transaction, functions);
    await transaction.raw("delete from database_functions");
    await transaction.raw("insert into database_functions (version, sha256) values (?, decode(?, 'hex'))", [
      VERSION,
      SHA256,
    ]);
    return true;
  });
}

/** Creates the functions that the triggers and indexes of tables need. */
export async function createCalledByTables(transaction: Knex): Promise<void> {
  await create(transaction, calledByTables);
}

/** Makes the next start create the functions again, regardless of its version. */
export async function forgetFunctions(knex: Knex): Promise<void> {
  await knex.raw("delete from database_functions");
}

/** Drops all functions and everything that depends on them. */
export async function dropFunctions(transaction: Knex): Promise<void> {
  const names = functions.flatMap((text) =>
    [...text.matchAll(/create or replace (?:function|aggregate) (\w+)/g)].map(([, name]) => name),
  );
  await transaction.raw(`drop routine if exists ${names.join(", ")} cascade`);
}

/** "set search_path from current" pins the schema, so that callers can't substitute their own tables. */
async function create(transaction: Knex, texts: readonly string[]): Promise<void> {
  await transaction.raw("select set_config('search_path', format('%I, pg_temp', current_schema()), true)");
  await transaction.raw(texts.join("\n"));
}
