import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import type { CredentialStatus } from "#foundation/credential-status.js";
import { countCallers, pseudonymise } from "#infrastructure/audit/audit-store.js";
import { waitForLocks } from "#infrastructure/db/database.js";
import type { Knex } from "#infrastructure/db/query.js";
import type { Actor } from "#infrastructure/identity/actors.js";
import { enqueueJobs } from "#infrastructure/jobs/enqueue.js";
import { dropWaitingJobs } from "#infrastructure/jobs/queue-store.js";
import { deleteSessionsOf } from "#infrastructure/sessions/session-store.js";
import { deleteGrant } from "#infrastructure/sessions/staff-grant-store.js";
import { type ReportingDeps, reportingLastAdmin } from "#infrastructure/sessions/staff-grants.js";
import { releaseName } from "../../learners/account-subjects.js";
import { forgetAccounts } from "../../learners/connector-accounts.js";
import { countRecords, deleteRecords, type RecordCounts } from "../../learners/erase-records.js";
import { findErased, lockForErasure, noteErasure } from "../../learners/erased-learners.js";
import { noSuchLearner } from "../../learners/no-such-learner.js";
import { closeUnsent } from "../emails/email-store.js";
import { appendByStatus } from "../events/append-events.js";
import {
  countActs,
  type ErasableCredential,
  eraseCredentials,
  eraseFromRuns,
  findErasable,
  findIdentity,
  lockErasable,
  replaceActor,
  setInvalidationReason,
} from "./erasure-store.js";
import { redactNames } from "./redact-names.js";

interface RequestedErasure {
  readonly username: string;
  /** If true, only reports the data to erase. */
  readonly dryRun: boolean;
  readonly erasedBy: Actor;
}

/** The data that was erased or, on a dry run, would be erased. */
export interface Erasure {
  readonly records: RecordCounts;
  /** The credentials as they were before the erasure. */
  readonly credentials: readonly ErasableCredential[];
  readonly files: number;
  /** Number of rows in which the username identifies an actor. */
  readonly acts: number;
}

/**
 * Erases a learner's personal data in one transaction: deletes records, removes names and files from credentials, and
 * replaces the username with a pseudonym. Jobs remove files and emails afterwards.
 *
 * Concurrent work either ends before the erasure or no longer finds the learner. Transactions that read a learner's
 * data in order to write it elsewhere block erasures (`inLearnerTransaction`). Jobs that generate, move or email a file
 * check at their end whether the learner was erased.
 * @throws Problem `not-found` if the learner is unknown and was never erased
 */
export function eraseLearner(
  deps: ReportingDeps,
  erasing: RequestedErasure,
  signal: AbortSignal,
): Promise<Erasure> {
  const { username, dryRun } = erasing;
  return reportingLastAdmin(deps, signal, async (transaction) => {
    if (!dryRun) {
      await waitForLocks(transaction, 5); // not longer, because issuing and importing wait meanwhile
      await lockForErasure(transaction);
      // Changes runs before credentials, in the same order as other transactions, to prevent deadlocks.
      await eraseFromRuns(transaction, username);
    }
    const erasure = await findPersonalData(transaction, erasing);
    if (isNothing(erasure) && !(await findErased(transaction, [username])).has(username))
      throw noSuchLearner(username);
    if (!dryRun) await erase(transaction, erasing, erasure);
    return erasure;
  });
}

async function findPersonalData(
  transaction: Knex.Transaction,
  { username, dryRun }: RequestedErasure,
): Promise<Erasure> {
  const credentials = await (dryRun ? findErasable : lockErasable)(transaction, username);
  return {
    records: await countRecords(transaction, username),
    credentials,
    files: credentials.filter(({ fileKey }) => fileKey !== null).length,
    acts: (await countActs(transaction, username)) + (await countCallers(transaction, username)),
  };
}

function isNothing({ records, credentials, acts }: Erasure): boolean {
  return credentials.length === 0 && acts === 0 && Object.values(records).every((count) => count === 0);
}

async function erase(
  transaction: Knex.Transaction,
  { username, erasedBy }: RequestedErasure,
  { credentials }: Erasure,
): Promise<void> {
  // All credentials get the same pseudonym, because they still belong to one learner.
  const pseudonym = `erased-${randomBytes(16).toString("hex")}`;
  await eraseReasons(transaction, username, credentials);
  await deleteRecords(transaction, username);
  await releaseName(transaction, username);
  await deleteSessionsOf(transaction, username);
  await deleteGrant(transaction, username);
  await forgetAccounts(transaction, username);
  await eraseCredentials(transaction, username, pseudonym);
  await replaceActor(transaction, username, pseudonym);
  const isOwnDoing = erasedBy.kind === "user" && erasedBy.name === username;
  const actor = isOwnDoing ? { kind: "user" as const, name: pseudonym } : erasedBy;
  const after = (before: CredentialStatus) => (before === "generating" ? "error" : before);
  await appendByStatus(transaction, { type: "erased", actor }, credentials, after);
  const dropped = await dropWaitingJobs(transaction, credentials);
  const mailIds = dropped.flatMap((job) => (job.task === "send_mail" ? [job.payload.mailId] : []));
  await closeUnsent(transaction, mailIds, "dropped");
  await enqueueJobs(
    transaction,
    credentials.map((credential) => ({
      task: "remove_erased",
      payload: { credentialUuid: credential.uuid, directories: directoriesOf(credential) },
    })),
  );
  await noteErasure(transaction, username);
  await pseudonymise(transaction, username, pseudonym);
}

/** Removes the learner's name from invalidation reasons, which are public. */
async function eraseReasons(
  transaction: Knex.Transaction,
  username: string,
  credentials: readonly ErasableCredential[],
): Promise<void> {
  const identity = await findIdentity(transaction, username);
  const fullNames = [identity?.fullName ?? "", ...credentials.map(({ userFullName }) => userFullName)];
  const learnerIds = [
    identity?.learnerId ?? "",
    ...credentials.map(({ particulars }) => particulars?.learner_id ?? ""),
  ];
  const named = { username, fullNames, emails: identity?.emails ?? [], learnerIds };
  for (const { uuid, invalidationReason } of credentials) {
    const reason = redactNames(invalidationReason, named);
    if (reason !== invalidationReason) await setInvalidationReason(transaction, uuid, reason);
  }
}

/** Returns the directories of the credential's files. They may differ from the current settings. */
function directoriesOf({ fileKey, invalidatedFileKey }: ErasableCredential): string[] {
  const keys = [fileKey, invalidatedFileKey].filter((key) => key !== null);
  return [...new Set(keys.map((key) => dirname(key)))];
}
