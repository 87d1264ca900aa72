import type { Actor } from "../../identity/actors.js";
import { enqueueJobs } from "../../jobs/enqueue.js";
import type { LearnerTransaction } from "../../learners/learner-transaction.js";
import type { Credential } from "../credential.js";
import { insertCredential } from "../credential-store.js";
import { appendEvents, type CredentialEventRemark } from "../events/append-events.js";
import type { Results } from "../results.js";
import { readDesign } from "./credential-design.js";
import type { CompleteInputs } from "./issuance-inputs.js";
import type { IssuingDeps } from "./issuing-deps.js";
import { readParticulars, succeeding } from "./particulars.js";

/** The learner, the configuration, the issuing actor, and the credential that is replaced, if any. */
export interface InsertingWithJob {
  readonly username: string;
  readonly configurationId: number;
  readonly issuedBy: Actor;
  /** The invalidated credential that the new one replaces. */
  readonly replaces: Pick<
    Credential,
    "uuid" | "createdAt" | "awardedAt" | "particulars" | "results" | "validUntil"
  > | null;
  /**
   * If it is a renewal, the credential that it renews. The new one is an award of its own, with its own
   * validity.
   */
  readonly renews?: Pick<Credential, "uuid"> | null;
  /** What the learner has attained; a reissue keeps the results of the credential that it replaces. */
  readonly results: Results | null;
  /** True if it is issued without checking that the learner is eligible. */
  readonly skipEligibilityCheck?: boolean;
}

/**
 * Inserts a credential made from its current inputs, and enqueues the job that generates its file.
 * @returns undefined if a generating or available credential exists already
 * @throws Problem `failed-precondition` if an asset that the options refer to is missing, or naming a
 * character that no font has
 */
export async function insertWithJob(
  transaction: LearnerTransaction,
  deps: Pick<IssuingDeps, "functions" | "settings">,
  inserting: InsertingWithJob,
  inputs: CompleteInputs,
): Promise<Credential | undefined> {
  const { userFullName, learningContextKey } = inputs;
  const { username, configurationId, issuedBy, replaces, renews, results } = inserting;
  const { content, used, validUntil, checkLearners } = await readDesign(
    transaction,
    deps,
    configurationId,
    inputs,
  );
  const known = await readParticulars(transaction, [username], learningContextKey, used);
  const particulars = succeeding(known.get(username) ?? null, replaces?.particulars ?? null, used);
  checkLearners([{ userFullName, particulars }]);

  const inserted = await insertCredential(transaction, {
    ...content,
    username,
    userFullName,
    particulars,
    results,
    replaces: (replaces ?? renews)?.uuid ?? null,
    validUntil: replaces ? replaces.validUntil : validUntil(),
    awardedAt: replaces && (replaces.awardedAt ?? replaces.createdAt),
    issuedBy: issuedBy.name,
  });
  if (!inserted) return undefined;
  const before = inserted.hasFailedBefore ? "error" : null;
  const remarks = remarksOn(inserting);
  const issued = { type: "issued", actor: issuedBy, before, after: "generating", remarks } as const;
  await appendEvents(transaction, issued, [inserted]);
  await enqueueJobs(transaction, [{ task: "generate_credential", payload: { credentialId: inserted.id } }]);
  return inserted;
}

function remarksOn({ issuedBy, username, skipEligibilityCheck }: InsertingWithJob): CredentialEventRemark[] {
  const remarks: CredentialEventRemark[] = [];
  if (skipEligibilityCheck) remarks.push("eligibility_skipped");
  if (issuedBy.kind === "user" && issuedBy.name === username) remarks.push("self_issued");
  return remarks;
}
