import type { Knex } from "knex";
import { noSuchConfiguration } from "../../configurations/manage-configurations.js";
import { waitForLocks } from "../../db/transaction.js";
import { Problem } from "../../errors.js";
import type { Actor } from "../../identity/actors.js";
import { findFullNames } from "../../learners/full-names.js";
import { inLearnerTransaction, type LearnerTransaction } from "../../learners/learner-transaction.js";
import type { UsedParticulars } from "../../rendering/generator.js";
import { appendEvents } from "../events/append-events.js";
import { type PrintedLearner, readDesign } from "../issuance/credential-design.js";
import {
  checkComplete,
  checkContextName,
  readSources,
  type Sources,
} from "../issuance/credential-sources.js";
import { beginCredentials, type SharedBeginning } from "../issuance/insert-credentials.js";
import type { IssuingParts } from "../issuance/issue-credential.js";
import { readParticulars, succeeding } from "../issuance/particulars.js";
import { unprintableNames } from "../issuance/unprintable-names.js";
import { findSelected, lockSelected, type SelectedCredential } from "./credential-selection.js";
import { type BulkInvalidation, invalidateAll } from "./invalidate-credentials.js";

/** Number of refused credentials that the result lists. */
const MAX_REFUSED = 1000;

/** A credential that can't be reissued, and the reason. */
export interface RefusedCredential {
  readonly uuid: string;
  readonly username: string;
  readonly reason: string;
}

/** Result of a bulk reissue. */
export interface BulkReissue {
  /** How many were reissued; on a dry run, how many would be. */
  readonly count: number;
  /** The first 1000. */
  readonly refused: RefusedCredential[];
}

/** A credential that can be reissued, and what its successor prints about the learner. */
type Reissuable = SelectedCredential & PrintedLearner;

/** The credentials of one configuration, partitioned into those that can be reissued and those that can't. */
interface Sifted {
  readonly reissuable: readonly Reissuable[];
  readonly refused: readonly RefusedCredential[];
}

/** What the successors of one configuration's credentials have in common. */
interface Succession {
  readonly sources: Sources;
  readonly shared: SharedBeginning;
  readonly used: UsedParticulars;
  /** @throws Problem if something to be printed for one of them can't be printed */
  checkLearners(learners: readonly PrintedLearner[]): void;
}

/**
 * Reissues all selected credentials in one transaction, each as `reissueCredential` does. Successors use the
 * current records, and eligibility is not checked. Credentials that can't be reissued stay as they are, and
 * so do those of erased learners.
 */
export function reissueCredentials(
  parts: IssuingParts,
  reissue: BulkInvalidation,
  signal: AbortSignal,
): Promise<BulkReissue> {
  const { selection, dryRun, invalidatedBy } = reissue;
  return inLearnerTransaction(parts.database, signal, async (transaction) => {
    await waitForLocks(transaction);
    const selected = await (dryRun ? findSelected : lockSelected)(transaction, selection);
    const known = selected.filter(({ isErased }) => !isErased);
    const refused: RefusedCredential[] = [];
    let count = 0;
    for (const credentials of byConfiguration(known)) {
      const succession = await readSuccession(transaction, parts, credentials[0], invalidatedBy).catch(
        asProblem,
      );
      const sifted = await sift(transaction, succession, credentials);
      if (!dryRun && !(succession instanceof Problem)) {
        await replace(transaction, succession.shared, sifted.reissuable, reissue);
      }
      count += sifted.reissuable.length;
      refused.push(...sifted.refused);
    }
    return { count, refused: refused.slice(0, MAX_REFUSED) };
  });
}

function byConfiguration(
  credentials: readonly SelectedCredential[],
): Iterable<[SelectedCredential, ...SelectedCredential[]]> {
  const groups = new Map<number, [SelectedCredential, ...SelectedCredential[]]>();
  for (const credential of credentials) {
    const group = groups.get(credential.configurationId);
    if (group) group.push(credential);
    else groups.set(credential.configurationId, [credential]);
  }
  return groups.values();
}

/** @throws Problem for a reason for which none of the configuration's credentials can be reissued */
async function readSuccession(
  transaction: Knex.Transaction,
  parts: IssuingParts,
  any: SelectedCredential,
  issuedBy: Actor,
): Promise<Succession> {
  const found = await readSources(transaction, any);
  if (!found) throw noSuchConfiguration(any.configurationId);
  const sources = checkContextName(found);
  const { content, used, checkShared, checkLearners } = await readDesign(
    transaction,
    parts,
    any.configurationId,
    sources,
  );
  checkShared(); // a refusal after this line is about what is printed for one learner
  return { sources, shared: { ...content, issuedBy, runId: null }, used, checkLearners };
}

async function sift(
  transaction: Knex.Transaction,
  succession: Succession | Problem,
  credentials: readonly SelectedCredential[],
): Promise<Sifted> {
  if (succession instanceof Problem) {
    return { reissuable: [], refused: credentials.map((each) => refusal(each, succession.message)) };
  }
  const usernames = credentials.map(({ username }) => username);
  const fullNames = await findFullNames(transaction, usernames);
  const { learningContextKey } = succession.sources;
  const known = await readParticulars(transaction, usernames, learningContextKey, succession.used);
  const named: Reissuable[] = [];
  const refused: RefusedCredential[] = [];
  for (const credential of credentials) {
    const { username } = credential;
    const sources = { ...succession.sources, userFullName: fullNames.get(username) ?? null };
    try {
      const { userFullName } = checkComplete(sources, username);
      const particulars = succeeding(known.get(username) ?? null, credential.particulars, succession.used);
      named.push({ ...credential, userFullName, particulars });
    } catch (error) {
      refused.push(refusal(credential, asProblem(error).message));
    }
  }
  const unprintable = unprintableNames(named, succession.checkLearners);
  const left = new Set(unprintable.map(({ named: { uuid } }) => uuid));
  return {
    reissuable: named.filter(({ uuid }) => !left.has(uuid)),
    refused: [...refused, ...unprintable.map((each) => refusal(each.named, each.detail))],
  };
}

function refusal({ uuid, username }: SelectedCredential, reason: string): RefusedCredential {
  return { uuid, username, reason };
}

/** Invalidates credentials that the transaction has locked, and inserts their successors. */
async function replace(
  transaction: LearnerTransaction,
  shared: SharedBeginning,
  credentials: readonly Reissuable[],
  reissue: BulkInvalidation,
): Promise<void> {
  if (credentials.length === 0) return;
  const uuids = credentials.map(({ uuid }) => uuid);
  await invalidateAll(transaction, uuids, reissue);
  const begun = await beginCredentials(transaction, shared, {
    sql: `select * from unnest(?::text[], ?::text[], ?::uuid[], ?::timestamptz[], ?::jsonb[])
        as successor (username, user_full_name, replaces, awarded_at, particulars)
      order by username`,
    bindings: [
      credentials.map(({ username }) => username),
      credentials.map(({ userFullName }) => userFullName),
      uuids,
      credentials.map(({ awardedAt, createdAt }) => awardedAt ?? createdAt),
      credentials.map(({ particulars }) => particulars && JSON.stringify(particulars)),
    ],
  });
  // Until the commit, the unique index on credentials in force lets nobody but this transaction insert other
  // ones.
  if (begun !== uuids.length)
    throw new Error(`of ${uuids.length} credentials in force, ${begun} were replaced`);
  const reissued = { type: "reissued", before: "invalidated", after: "invalidated" } as const;
  await appendEvents(transaction, { ...reissued, actor: reissue.invalidatedBy }, credentials);
}

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}
