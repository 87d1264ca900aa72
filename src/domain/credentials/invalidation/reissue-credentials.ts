import { failedPrecondition, Problem, quoted } from "#foundation/errors.js";
import { groupBy } from "#foundation/group-by.js";
import { waitForLocks } from "#infrastructure/db/database.js";
import type { Knex } from "#infrastructure/db/query.js";
import { noSuchConfiguration } from "../../configurations/manage-configurations.js";
import { correctNameIn, type NameCorrecting } from "../../learners/correct-name.js";
import { findFullNames } from "../../learners/full-names.js";
import { inLearnerTransaction, type LearnerTransaction } from "../../learners/learner-transaction.js";
import type { Credential } from "../credential.js";
import { learnerColumns } from "../credential-columns.js";
import { findSuccessor } from "../credential-store.js";
import { appendEvents } from "../events/append-events.js";
import { getCredential, lockCredentialOrThrow, wrongStatus } from "../get-credential.js";
import { type CredentialContent, type PrintedLearner, readDesign } from "../issuance/credential-design.js";
import { insertCredentials, rowsQuery } from "../issuance/insert-credentials.js";
import {
  checkComplete,
  checkContextName,
  type IssuanceInputs,
  readInputs,
} from "../issuance/issuance-inputs.js";
import type { IssuingDeps } from "../issuance/issuing-deps.js";
import {
  particularsOfSuccessor,
  type RequestedParticulars,
  readParticulars,
} from "../issuance/particulars.js";
import { unprintableNames } from "../issuance/unprintable-names.js";
import { checkedHash, findSelected } from "./credential-selection.js";
import { type BulkInvalidation, type Invalidation, invalidateAll } from "./invalidate-credentials.js";

/** Maximum number of refused credentials in a result. */
const MAX_REFUSED = 1000;

interface RefusedCredential {
  readonly uuid: string;
  readonly username: string;
  readonly reason: string;
}

/** The fields that determine whether a credential can be reissued, and fields that its successor takes over. */
const selectedFields = [
  "uuid",
  "username",
  "configurationId",
  "createdAt",
  "awardedAt",
  "validUntil",
  "isExpired",
  "renewedAt",
  "particulars",
  "erasedAt",
] as const;

type SelectedCredential = Pick<Credential, (typeof selectedFields)[number]>;

interface Refusal {
  readonly credential: SelectedCredential;
  readonly problem: Problem;
}

export interface BulkReissue {
  /** On a dry run, the number of credentials that would be reissued. */
  readonly count: number;
  /** At most 1000 entries. */
  readonly refused: RefusedCredential[];
  readonly planHash: string;
}

/** A credential that can be reissued, with the facts to print on its successor. */
type Reissuable = SelectedCredential & PrintedLearner & { readonly awardedAt: Date };

/** The content of a successor before it is issued. */
export type Successor = CredentialContent & PrintedLearner & Pick<Credential, "awardedAt" | "validUntil">;

/** The credentials of one configuration, split by whether they can be reissued. */
interface Partition {
  readonly reissuable: readonly Reissuable[];
  readonly refused: readonly Refusal[];
}

/** Data shared by all successors under one configuration. */
interface ReissuePlan {
  readonly inputs: IssuanceInputs;
  readonly content: CredentialContent;
  readonly used: RequestedParticulars;
  /** @throws Problem if a text of one of these learners can't be printed */
  checkLearners(learners: readonly PrintedLearner[]): void;
}

interface Reissuing extends Invalidation {
  /** The learner's new name; empty to keep the name. */
  readonly correctedFullName: string;
}

/**
 * Invalidates an available credential and issues another in its place, in one transaction. The successor uses the
 * learner's current records; eligibility is not checked again. If the credential was reissued before, returns its
 * successor.
 * @throws Problem `not-found`; `failed-precondition` naming the credential's status, the successor's different name, or
 * the missing data
 */
export function reissueCredential(
  deps: IssuingDeps,
  { correctedFullName, ...invalidation }: Reissuing,
  signal: AbortSignal,
): Promise<Credential> {
  return inLearnerTransaction(deps.database, signal, async (transaction) => {
    const credential = await lockCredentialOrThrow(transaction, invalidation.uuid);
    if (credential.status === "available") refuseAged(credential);
    const successor = await findSuccessor(transaction, credential.uuid);
    if (successor) return named(successor, correctedFullName);
    refuseUnlessAvailable(credential);
    if (correctedFullName !== "") await correctNameIn(transaction, correcting(credential));
    const plan = await readReissuePlan(transaction, deps, credential);
    const { reissuable, refused } = await partition(transaction, plan, [credential]);
    for (const { problem } of refused) throw problem;
    await replace(transaction, plan.content, reissuable, invalidation);
    return (await findSuccessor(transaction, credential.uuid)) as Credential;
  });

  function correcting({ username }: Credential): NameCorrecting {
    const { reason, invalidatedBy: correctedBy } = invalidation;
    return { username, fullName: correctedFullName, reason, recordedName: undefined, correctedBy };
  }
}

/**
 * Returns the content that a successor would have if it were issued now.
 * @param correctedFullName the learner's new name; empty to keep the name
 * @throws Problem like `reissueCredential`; also `failed-precondition` if the credential was reissued before
 */
export async function readSuccessor(
  transaction: Knex.Transaction,
  deps: Omit<IssuingDeps, "database">,
  uuid: string,
  correctedFullName: string,
): Promise<Successor> {
  const credential = await getCredential(transaction, uuid);
  if (credential.status === "invalidated")
    throw wrongStatus(credential.status, "only an available one can be reissued");
  refuseUnlessAvailable(credential);
  const plan = await readReissuePlan(transaction, deps, credential);
  const { reissuable, refused } = await partition(transaction, plan, [credential], correctedFullName);
  for (const { problem } of refused) throw problem;
  return { ...(reissuable[0] as Reissuable), ...plan.content };
}

/** @throws Problem `failed-precondition` if the successor has a different name from the requested one */
function named(successor: Credential, correctedFullName: string): Credential {
  if (correctedFullName === "" || correctedFullName === successor.userFullName) return successor;
  throw failedPrecondition(
    `The credential was already reissued with the name ${quoted(successor.userFullName)}. To change the name, reissue the new credential, ${successor.uuid}.`,
  );
}

/**
 * Reissues the selected credentials in one transaction, like `reissueCredential`. Credentials that can't be reissued,
 * and credentials of erased learners, stay unchanged.
 * @throws Problem `aborted` if the plan no longer matches `planHash`
 */
export function reissueCredentials(
  deps: IssuingDeps,
  reissue: BulkInvalidation,
  signal: AbortSignal,
): Promise<BulkReissue> {
  const { selection, dryRun } = reissue;
  return inLearnerTransaction(deps.database, signal, async (transaction) => {
    await waitForLocks(transaction);
    const selected = await findSelected(transaction, selection, selectedFields, !dryRun);
    const notErased = selected.filter(({ erasedAt }) => erasedAt === null);
    const refused: Refusal[] = [];
    const changes: string[] = [];
    let count = 0;
    for (const credentials of groupBy(notErased, ({ configurationId }) => configurationId).values()) {
      const plan = await readReissuePlan(transaction, deps, credentials[0]).catch(asProblem);
      const partitioned = await partition(transaction, plan, credentials);
      if (!dryRun && !(plan instanceof Problem)) {
        await replace(transaction, plan.content, partitioned.reissuable, reissue);
      }
      count += partitioned.reissuable.length;
      refused.push(...partitioned.refused);
      changes.push(...changesOf(plan, partitioned));
    }
    // Throws if the plan has changed, which rolls back the replacements.
    const planHash = checkedHash(reissue.planHash, changes, { count, refusedCount: refused.length });
    const shown = refused.slice(0, MAX_REFUSED).map(({ credential: { uuid, username }, problem }) => ({
      uuid,
      username,
      reason: problem.message,
    }));
    return { count, refused: shown, planHash };
  });
}

/**
 * @param any one of the configuration's credentials
 * @throws Problem if no credential of the configuration can be reissued
 */
async function readReissuePlan(
  transaction: Knex.Transaction,
  deps: Omit<IssuingDeps, "database">,
  any: SelectedCredential,
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
  checkShared(); // from here on, only a learner's own text can be refused
  return { inputs, content, used, checkLearners };
}

/** @param correctedFullName the learner's new name; empty to keep the name */
async function partition(
  transaction: Knex.Transaction,
  plan: ReissuePlan | Problem,
  credentials: readonly SelectedCredential[],
  correctedFullName = "",
): Promise<Partition> {
  if (plan instanceof Problem) {
    return { reissuable: [], refused: credentials.map((credential) => ({ credential, problem: plan })) };
  }
  const usernames = credentials.map(({ username }) => username);
  const fullNames = await findFullNames(transaction, usernames);
  const { learningContextKey } = plan.inputs;
  const currentParticulars = await readParticulars(transaction, usernames, learningContextKey, plan.used);
  const complete: Reissuable[] = [];
  const refused: Refusal[] = [];
  for (const credential of credentials) {
    const { username } = credential;
    const recorded = fullNames.get(username);
    const inputs = {
      ...plan.inputs,
      userFullName: recorded === undefined ? null : correctedFullName || recorded,
    };
    try {
      refuseAged(credential);
      const { userFullName } = checkComplete(inputs, username);
      const particulars = particularsOfSuccessor(
        currentParticulars.get(username) ?? null,
        credential.particulars,
        plan.used,
      );
      const awardedAt = credential.awardedAt ?? credential.createdAt;
      complete.push({ ...credential, userFullName, particulars, awardedAt });
    } catch (error) {
      refused.push({ credential, problem: asProblem(error) });
    }
  }
  const unprintable = unprintableNames(complete, plan.checkLearners);
  const left = new Set(unprintable.map(({ named: { uuid } }) => uuid));
  return {
    reissuable: complete.filter(({ uuid }) => !left.has(uuid)),
    refused: [...refused, ...unprintable.map(({ named: credential, problem }) => ({ credential, problem }))],
  };
}

/** Returns one line per change or refusal. Equal plans have equal lines. */
function changesOf(plan: ReissuePlan | Problem, { reissuable, refused }: Partition): string[] {
  return [
    JSON.stringify(plan instanceof Problem ? {} : plan.content),
    ...reissuable.map(({ uuid, userFullName, particulars }) =>
      JSON.stringify([uuid, userFullName, particulars]),
    ),
    ...refused.map(({ credential: { uuid } }) => JSON.stringify([uuid])),
  ];
}

/** Invalidates locked credentials, and inserts their successors. */
async function replace(
  transaction: LearnerTransaction,
  content: CredentialContent,
  credentials: readonly Reissuable[],
  invalidation: Omit<Invalidation, "uuid">,
): Promise<void> {
  if (credentials.length === 0) return;
  const uuids = credentials.map(({ uuid }) => uuid);
  // Learners get emails about the successors, so the invalidation sends none.
  await invalidateAll(transaction, uuids, { ...invalidation, skipsEmail: true });
  const successors = rowsQuery(
    credentials.map(({ username, userFullName, particulars, validUntil, awardedAt, uuid: replaces }) => ({
      username,
      userFullName,
      particulars,
      validUntil,
      replaces,
      awardedAt,
    })),
  );
  const own = learnerColumns.map((column) => `${column === "results" ? "replaced" : "successor"}.${column}`);
  const { invalidatedBy: issuedBy, skipsEmail = false } = invalidation;
  const shared = { ...content, issuedBy, skipsEmail, runId: null };
  const inserted = await insertCredentials(transaction, shared, {
    sql: `select ${own.join(", ")} from (${successors.sql}) as successor
      join credentials as replaced on replaced.uuid = successor.replaces
      order by successor.username`,
    bindings: successors.bindings,
  });
  // Until the commit, the unique index on active credentials prevents other inserts for these learners.
  if (inserted !== uuids.length)
    throw new Error(`of ${uuids.length} credentials in force, ${inserted} were replaced`);
  const reissued = { type: "reissued", before: "invalidated", after: "invalidated" } as const;
  await appendEvents(transaction, { ...reissued, actor: invalidation.invalidatedBy }, credentials);
}

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}

/**
 * Refuses renewed and expired credentials, because correcting them would be pointless.
 * @throws Problem `failed-precondition`
 */
function refuseAged({ renewedAt, isExpired }: Pick<Credential, "renewedAt" | "isExpired">): void {
  if (renewedAt !== null)
    throw failedPrecondition("The credential was renewed: reissue the one that replaces it.", {
      reason: "RENEWED",
    });
  if (isExpired)
    throw failedPrecondition("The credential has expired: renew it with IssueCredential.", {
      reason: "EXPIRED",
    });
}

function refuseUnlessAvailable({ status, erasedAt }: Credential): void {
  if (erasedAt) {
    throw failedPrecondition("The learner was erased: the credential can't be reissued.", {
      reason: "LEARNER_ERASED",
    });
  }
  if (status === "available") return;
  throw failedPrecondition(refusals[status], { reason: "WRONG_STATUS", facts: { status } });
}

const refusals: Record<Exclude<Credential["status"], "available">, string> = {
  generating: "The credential is generating: only an available one can be reissued.",
  error: "The credential could not be generated: issue it again with IssueCredential.",
  invalidated: "The credential was invalidated without a successor: issue a new one with IssueCredential.",
};
