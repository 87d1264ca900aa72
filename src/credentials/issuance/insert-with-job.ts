import type { Actor } from "../../identity/actors.js";
import { enqueueJobs } from "../../jobs/enqueue.js";
import type { LearnerTransaction } from "../../learners/learner-transaction.js";
import type { Credential } from "../credential.js";
import { beginCredential } from "../credential-store.js";
import { appendEvents, type CredentialEventRemark } from "../events/append-events.js";
import { readDesign } from "./credential-design.js";
import type { CompleteSources } from "./credential-sources.js";
import type { IssuingParts } from "./issue-credential.js";
import { readParticulars, succeeding } from "./particulars.js";

/** The learner, the configuration, the issuing actor, and the credential that is replaced, if any. */
export interface Beginning {
  readonly username: string;
  readonly configurationId: number;
  readonly issuedBy: Actor;
  /** The invalidated credential that the new one replaces. */
  readonly replaces: Pick<Credential, "uuid" | "createdAt" | "awardedAt" | "particulars"> | null;
  /** True if it is issued without checking that the learner is eligible. */
  readonly skipEligibilityCheck?: boolean;
}

/**
 * Inserts a credential made from its current sources, and enqueues the job that generates its file.
 * @returns undefined if a generating or available credential exists already
 * @throws Problem `failed-precondition` if an asset that the options refer to is missing, or naming a
 * character that no font has
 */
export async function beginWithJob(
  transaction: LearnerTransaction,
  parts: Pick<IssuingParts, "functions" | "settings">,
  beginning: Beginning,
  sources: CompleteSources,
): Promise<Credential | undefined> {
  const { userFullName, learningContextKey } = sources;
  const { username, configurationId, issuedBy, replaces } = beginning;
  const { content, used, checkLearners } = await readDesign(transaction, parts, configurationId, sources);
  const known = await readParticulars(transaction, [username], learningContextKey, used);
  const particulars = succeeding(known.get(username) ?? null, replaces?.particulars ?? null, used);
  checkLearners([{ userFullName, particulars }]);

  const begun = await beginCredential(transaction, {
    ...content,
    username,
    userFullName,
    particulars,
    replaces: replaces?.uuid ?? null,
    awardedAt: replaces && (replaces.awardedAt ?? replaces.createdAt),
    issuedBy: issuedBy.name,
  });
  if (!begun) return undefined;
  const before = begun.hasFailedBefore ? "error" : null;
  const remarks = remarksOn(beginning);
  const issued = { type: "issued", actor: issuedBy, before, after: "generating", remarks } as const;
  await appendEvents(transaction, issued, [begun]);
  await enqueueJobs(transaction, [{ task: "generate_credential", payload: { credentialId: begun.id } }]);
  return begun;
}

function remarksOn({ issuedBy, username, skipEligibilityCheck }: Beginning): CredentialEventRemark[] {
  const remarks: CredentialEventRemark[] = [];
  if (skipEligibilityCheck) remarks.push("eligibility_skipped");
  if (issuedBy.kind === "user" && issuedBy.name === username) remarks.push("self_issued");
  return remarks;
}
