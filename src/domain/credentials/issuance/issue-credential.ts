import { failedPrecondition, Problem } from "#foundation/errors.js";
import { mergeOptions } from "#foundation/text/merge-options.js";
import { type Knex, queryRow } from "#infrastructure/db/query.js";
import type { Actor } from "#infrastructure/identity/actors.js";
import type { Functions } from "../../configurations/functions.js";
import { noSuchConfiguration } from "../../configurations/manage-configurations.js";
import { namedCourses } from "../../configurations/requirement-links.js";
import { readResults } from "../../eligibility/course-results.js";
import { type EligibilityRules, readEligibilityRules } from "../../eligibility/eligibility-rules.js";
import { evaluateEligibility } from "../../eligibility/evaluate-eligibility.js";
import { readProgress } from "../../eligibility/learner-progress.js";
import type { Processor } from "../../eligibility/processor.js";
import { requestUpdate } from "../../learners/connector-accounts.js";
import { checkFresh } from "../../learners/freshness.js";
import { inLearnerTransaction, type LearnerTransaction } from "../../learners/learner-transaction.js";
import { parseLearningContextKey } from "../../learners/learning-context-key.js";
import type { Credential } from "../credential.js";
import { findActive, hasInvalidated } from "../credential-store.js";
import { renewableUntil } from "../renewal/renewable-until.js";
import { renewalQuery, renewalsEarned } from "../renewal/renewals-earned.js";
import { setRenewed } from "../renewal/set-renewed.js";
import { readCreationTime, readDesign } from "./credential-design.js";
import { insertCredentials, rowsQuery } from "./insert-credentials.js";
import { type CompleteInputs, checkComplete, type IssuanceInputs, readInputs } from "./issuance-inputs.js";
import { issueStack } from "./issue-earned.js";
import type { IssuingDeps } from "./issuing-deps.js";
import { readParticulars } from "./particulars.js";

export interface Issuing {
  readonly configurationId: number;
  readonly username: string;
  readonly skipEligibilityCheck: boolean;
  /** Default: false (the learner gets an email when the credential becomes available). */
  readonly skipsEmail?: boolean;
  readonly issuedBy: Actor;
  /** Whether the learner has requested the credential. The configuration must allow such claims. Default: false. */
  readonly isClaim?: boolean;
}

/** Reasons of errors, which are part of the API. */
const NOT_ELIGIBLE = "NOT_ELIGIBLE";
const NOT_EARNED_ANEW = "NOT_EARNED_ANEW";

/**
 * Issues a credential: inserts its row and the job that generates its file, in one transaction. If the learner already
 * has a generating or available credential under the configuration that can't be renewed now, returns that credential.
 * If the learner does not meet a requirement, makes connectors read the learner again soon, because learners may
 * request a credential just after finishing.
 * @throws Problem `not-found` for the configuration or the learner; `failed-precondition` naming the missing
 * requirement or data; `already-exists` if a learner claims a credential that already exists
 */
export async function issueCredential(
  deps: IssuingDeps,
  issuing: Issuing,
  signal: AbortSignal,
): Promise<Credential> {
  let learningContextKey = "";
  try {
    return await inLearnerTransaction(deps.database, signal, issueIn);
  } catch (error) {
    if (error instanceof Problem && (error.reason === NOT_ELIGIBLE || error.reason === NOT_EARNED_ANEW))
      await requestUpdate(deps.database.knex, issuing.username, learningContextKey);
    throw error;
  }

  async function issueIn(transaction: LearnerTransaction): Promise<Credential> {
    const inputs = await readInputs(transaction, issuing);
    if (!inputs) throw noSuchConfiguration(issuing.configurationId);
    learningContextKey = inputs.learningContextKey;
    const current = await findActive(transaction, issuing);
    const isDue =
      current && (await isDueForRenewal(transaction, current, inputs, issuing, deps.settings.timeZone));
    if (current && current.status !== "error" && !isDue) return existing(current);
    if (issuing.isClaim) await checkClaim(transaction, issuing, inputs, current);

    const complete = checkComplete(inputs, issuing.username);
    if (!issuing.skipEligibilityCheck) await refuseIneligible(transaction, deps.functions, issuing, inputs);

    const renews = isDue ? current : null;
    const rules = await readEligibilityRules(transaction, deps.functions, issuing.configurationId);
    if (
      renews &&
      !issuing.skipEligibilityCheck &&
      !(await isEarnedAgain(transaction, renews, inputs, rules))
    ) {
      if (!renews.isExpired) return existing(renews);
      throw notEarnedAgain(renews, issuing);
    }
    const isIssued =
      (!renews || (await setRenewed(transaction, renews.uuid, issuing.issuedBy))) &&
      (await insertFor(transaction, deps, issuing, {
        ...complete,
        rules,
        replaces: renews?.uuid ?? null,
      }));
    const issued = await findActive(transaction, issuing); // a concurrent caller may have issued it
    if (!issued)
      throw new Problem(
        "unavailable",
        "The credential was invalidated while it was being issued: try again.",
      );
    return isIssued ? issued : existing(issued);
  }

  /** Returns the existing credential, or rejects a claim for it. @throws Problem `already-exists` */
  function existing(active: Credential): Credential {
    if (issuing.isClaim) throw alreadyClaimed(active);
    return active;
  }
}

interface InsertInputs extends CompleteInputs {
  readonly rules: EligibilityRules;
  /** UUID of the credential that the new one renews. */
  readonly replaces: string | null;
}

/**
 * Inserts the credential and its job.
 * @returns false if the learner already has a generating or available credential
 */
async function insertFor(
  transaction: LearnerTransaction,
  deps: IssuingDeps,
  {
    configurationId,
    username,
    issuedBy,
    skipEligibilityCheck: skipsEligibility,
    skipsEmail = false,
  }: Issuing,
  inputs: InsertInputs,
): Promise<boolean> {
  const { userFullName, rules, replaces } = inputs;
  const design = await readDesign(transaction, deps, configurationId, inputs);
  const printed = await readParticulars(transaction, [username], inputs.learningContextKey, design.used);
  const particulars = printed.get(username) ?? null;
  design.checkLearners([{ userFullName, particulars }]);
  const results = await readResults(transaction, username, rules);
  const validUntil = design.validUntil();
  const count = await insertCredentials(
    transaction,
    { ...design.content, issuedBy, runId: null, skipsEligibility, skipsEmail },
    rowsQuery([{ username, userFullName, particulars, results, replaces, validUntil }]),
  );
  await issueStack(transaction, deps, { configurationId, usernames: [username], skipsEmail });
  return count > 0;
}

/**
 * Returns whether issuing again renews the credential. Staff can always renew an expired credential. For earlier
 * renewals and for claims, the option `renewal_window` decides.
 */
async function isDueForRenewal(
  transaction: LearnerTransaction,
  { status, isExpired, validUntil }: Credential,
  inputs: IssuanceInputs,
  { isClaim = false }: Issuing,
  timeZone: string,
): Promise<boolean> {
  if (status !== "available" || validUntil === null) return false;
  if (isExpired && !isClaim) return true;
  const options = mergeOptions(inputs.typeOptions, inputs.options);
  const until = renewableUntil(options, await readCreationTime(transaction), timeZone);
  return until !== null && validUntil <= until;
}

/** Returns whether the learner has earned the credential again, as the option `renew_on` requires. */
async function isEarnedAgain(
  transaction: LearnerTransaction,
  { uuid }: Credential,
  inputs: IssuanceInputs,
  rules: EligibilityRules,
): Promise<boolean> {
  const options = mergeOptions(inputs.typeOptions, inputs.options);
  const earned = renewalsEarned(options, rules, renewalQuery(uuid));
  return earned === null || (await queryRow(transaction, earned.sql, earned.bindings)) !== undefined;
}

/**
 * Checks that the learner may claim the credential, and that no earlier credential was withdrawn.
 * @param current the learner's failed or expired credential
 */
async function checkClaim(
  transaction: LearnerTransaction,
  { configurationId, username }: Issuing,
  { claim, credentialType, learningContextKey }: IssuanceInputs,
  current: Credential | undefined,
): Promise<void> {
  const what = `${JSON.stringify(credentialType)} can't be claimed in ${learningContextKey}`;
  if (claim === "never") {
    throw new Problem("permission-denied", `${what}: its configuration does not allow it.`, {
      reason: "CLAIM_NOT_ALLOWED",
    });
  }
  if (!current && (await hasInvalidated(transaction, { configurationId, username }))) {
    throw failedPrecondition(
      `${what} by learner ${username}, whose credential was withdrawn: contact the organisation that issues it.`,
      { reason: "INVALIDATED", facts: { username } },
    );
  }
}

/** The error's facts describe the existing credential, so that a client can show it. */
function alreadyClaimed({ uuid, verifyUuid, status, createdAt }: Credential): Problem {
  return new Problem("already-exists", "User already has a credential of this type.", {
    facts: { uuid, verify_uuid: verifyUuid, status, created: createdAt.toISOString().replace(".000Z", "Z") },
  });
}

function notEarnedAgain({ uuid, username, awardedAt, createdAt }: Credential, { isClaim }: Issuing): Problem {
  return failedPrecondition(
    `Credential ${uuid} of learner ${username} has expired, and renewing it requires results observed after ` +
      `${(awardedAt ?? createdAt).toISOString()}, its date of award (option renew_on: "new_record"). The results ` +
      `since then don't meet the requirements.${isClaim ? "" : " To renew it anyway, set skip_eligibility_check."}`,
    { reason: NOT_EARNED_ANEW, facts: { username } },
  );
}

async function refuseIneligible(
  db: Knex.Transaction,
  functions: Functions<Processor>,
  { configurationId, username }: Issuing,
  { learningContextKey, credentialType }: IssuanceInputs,
): Promise<void> {
  await checkFresh(db, learningContextKey, await namedCourses(db, configurationId));
  const progress = await readProgress(db, { username, learningContextKey, retrievalFunc: "" });
  const credential = progress.configurations.find(
    (configured) => configured.configurationId === configurationId,
  );
  if (!credential) throw noSuchConfiguration(configurationId);
  const isPath = parseLearningContextKey(learningContextKey).kind === "path";
  const { isEligible, missing } = evaluateEligibility(
    credential,
    functions.retrieval(credential.retrievalFunc),
    progress,
    isPath,
  );
  if (isEligible) return;
  throw failedPrecondition(
    `Learner ${username} is not eligible for ${JSON.stringify(credentialType)} in ${learningContextKey}. ` +
      `Missing: ${missing.join("; ")}.`,
    { reason: NOT_ELIGIBLE, facts: { username, missing: missing.join("; ") } },
  );
}
