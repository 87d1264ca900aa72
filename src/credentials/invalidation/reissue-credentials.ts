import type { Knex } from "knex";
import { noSuchConfiguration } from "../../configurations/manage-configurations.js";
import { waitForLocks } from "../../db/transaction.js";
import { Problem } from "../../errors.js";
import type { Actor } from "../../identity/actors.js";
import { findFullNames } from "../../learners/full-names.js";
import { inLearnerTransaction, type LearnerTransaction } from "../../learners/learner-transaction.js";
import { appendEvents } from "../events/append-events.js";
import { type PrintedLearner, readDesign } from "../issuance/credential-design.js";
import { insertCredentials, type SharedColumns } from "../issuance/insert-credentials.js";
import {
  checkComplete,
  checkContextName,
  type IssuanceInputs,
  readInputs,
} from "../issuance/issuance-inputs.js";
import type { IssuingDeps } from "../issuance/issuing-deps.js";
import { readParticulars, type SoughtParticulars, succeeding } from "../issuance/particulars.js";
import { unprintableNames } from "../issuance/unprintable-names.js";
import { findSelected, lockSelected, type SelectedCredential } from "./credential-selection.js";
import { type BulkInvalidation, invalidateAll } from "./invalidate-credentials.js";
import { refuseAged } from "./reissue-credential.js";
import { formatSelectionHash, hashOfChanges, refuseChangedSelection } from "./selection-hash.js";

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
  readonly planHash: string;
}

/** A credential that can be reissued, and what its successor prints about the learner. */
type Reissuable = SelectedCredential & PrintedLearner;

/** The credentials of one configuration, partitioned into those that can be reissued and those that can't. */
interface Partition {
  readonly reissuable: readonly Reissuable[];
  readonly refused: readonly RefusedCredential[];
}

/** What the successors of one configuration's credentials have in common. */
interface ReissuePlan {
  readonly inputs: IssuanceInputs;
  readonly shared: SharedColumns;
  readonly used: SoughtParticulars;
  /** @throws Problem if something to be printed for one of them can't be printed */
  checkLearners(learners: readonly PrintedLearner[]): void;
}

/**
 * Reissues all selected credentials in one transaction, each as `reissueCredential` does. Successors use the
 * current records, and eligibility is not checked. Credentials that can't be reissued stay as they are, and
 * so do those of erased learners.
 * @throws Problem `aborted` if this is not the plan of `planHash`
 */
export function reissueCredentials(
  deps: IssuingDeps,
  reissue: BulkInvalidation,
  signal: AbortSignal,
): Promise<BulkReissue> {
  const { selection, dryRun, invalidatedBy } = reissue;
  return inLearnerTransaction(deps.database, signal, async (transaction) => {
    await waitForLocks(transaction);
    const selected = await (dryRun ? findSelected : lockSelected)(transaction, selection);
    const known = selected.filter(({ isErased }) => !isErased);
    const refused: RefusedCredential[] = [];
    const changes: string[] = [];
    let count = 0;
    for (const credentials of byConfiguration(known)) {
      const plan = await readReissuePlan(transaction, deps, credentials[0], invalidatedBy).catch(asProblem);
      const partitioned = await partition(transaction, plan, credentials);
      if (!dryRun && !(plan instanceof Problem)) {
        await replace(transaction, plan.shared, partitioned.reissuable, reissue);
      }
      count += partitioned.reissuable.length;
      refused.push(...partitioned.refused);
      changes.push(...changesOf(plan, partitioned));
    }
    const hash = hashOfChanges(changes, { count, refusedCount: refused.length });
    refuseChangedSelection(reissue.planHash, hash); // this rolls back what was replaced
    return { count, refused: refused.slice(0, MAX_REFUSED), planHash: formatSelectionHash(hash) };
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
async function readReissuePlan(
  transaction: Knex.Transaction,
  deps: IssuingDeps,
  any: SelectedCredential,
  issuedBy: Actor,
): Promise<ReissuePlan> {
  const found = await readInputs(transaction, any);
  if (!found) throw noSuchConfiguration(any.configurationId);
  const inputs = checkContextName(found);
  const { content, used, checkShared, checkLearners } = await readDesign(
    transaction,
    deps,
    any.configurationId,
    inputs,
  );
  checkShared(); // a refusal after this line is about what is printed for one learner
  return { inputs, shared: { ...content, issuedBy, runId: null }, used, checkLearners };
}

async function partition(
  transaction: Knex.Transaction,
  plan: ReissuePlan | Problem,
  credentials: readonly SelectedCredential[],
): Promise<Partition> {
  if (plan instanceof Problem) {
    return { reissuable: [], refused: credentials.map((each) => refusal(each, plan.message)) };
  }
  const usernames = credentials.map(({ username }) => username);
  const fullNames = await findFullNames(transaction, usernames);
  const { learningContextKey } = plan.inputs;
  const known = await readParticulars(transaction, usernames, learningContextKey, plan.used);
  const named: Reissuable[] = [];
  const refused: RefusedCredential[] = [];
  for (const credential of credentials) {
    const { username } = credential;
    const inputs = { ...plan.inputs, userFullName: fullNames.get(username) ?? null };
    try {
      refuseAged({ ...credential, status: "available" });
      const { userFullName } = checkComplete(inputs, username);
      const particulars = succeeding(known.get(username) ?? null, credential.particulars, plan.used);
      named.push({ ...credential, userFullName, particulars });
    } catch (error) {
      refused.push(refusal(credential, asProblem(error).message));
    }
  }
  const unprintable = unprintableNames(named, plan.checkLearners);
  const left = new Set(unprintable.map(({ named: { uuid } }) => uuid));
  return {
    reissuable: named.filter(({ uuid }) => !left.has(uuid)),
    refused: [...refused, ...unprintable.map((each) => refusal(each.named, each.detail))],
  };
}

/** Describes what successors say, and what is refused, in lines that are the same as long as these are. */
function changesOf(plan: ReissuePlan | Problem, { reissuable, refused }: Partition): string[] {
  const { issuedBy: _, ...content } = plan instanceof Problem ? { issuedBy: null } : plan.shared;
  return [
    JSON.stringify(content),
    ...reissuable.map(({ uuid, userFullName, particulars }) =>
      JSON.stringify([uuid, userFullName, particulars]),
    ),
    ...refused.map(({ uuid }) => JSON.stringify([uuid])),
  ];
}

function refusal({ uuid, username }: SelectedCredential, reason: string): RefusedCredential {
  return { uuid, username, reason };
}

/** Invalidates credentials that the transaction has locked, and inserts their successors. */
async function replace(
  transaction: LearnerTransaction,
  shared: SharedColumns,
  credentials: readonly Reissuable[],
  reissue: BulkInvalidation,
): Promise<void> {
  if (credentials.length === 0) return;
  const uuids = credentials.map(({ uuid }) => uuid);
  await invalidateAll(transaction, uuids, reissue, { tellHolders: false });
  const inserted = await insertCredentials(transaction, shared, {
    sql: `select successor.*, replaced.results
      from unnest(?::text[], ?::text[], ?::uuid[], ?::timestamptz[], ?::timestamptz[], ?::jsonb[])
        as successor (username, user_full_name, replaces, awarded_at, valid_until, particulars)
      join credentials as replaced on replaced.uuid = successor.replaces
      order by successor.username`,
    bindings: [
      credentials.map(({ username }) => username),
      credentials.map(({ userFullName }) => userFullName),
      uuids,
      credentials.map(({ awardedAt, createdAt }) => awardedAt ?? createdAt),
      credentials.map(({ validUntil }) => validUntil),
      credentials.map(({ particulars }) => particulars && JSON.stringify(particulars)),
    ],
  });
  // Until the commit, the unique index on credentials in force lets nobody but this transaction insert other
  // ones.
  if (inserted !== uuids.length)
    throw new Error(`of ${uuids.length} credentials in force, ${inserted} were replaced`);
  const reissued = { type: "reissued", before: "invalidated", after: "invalidated" } as const;
  await appendEvents(transaction, { ...reissued, actor: reissue.invalidatedBy }, credentials);
}

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}
