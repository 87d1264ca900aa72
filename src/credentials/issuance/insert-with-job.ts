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

/** Whose credential it is, under which configuration, who issues it, and in place of which one. */
export interface Beginning {
  readonly username: string;
  readonly configurationId: number;
  readonly issuedBy: Actor;
  /** The invalidated one. */
  readonly replaces: Pick<Credential, "uuid" | "createdAt" | "awardedAt" | "particulars"> | null;
  /** Whether it is issued though nobody has asked if the learner is eligible. */
  readonly skipEligibilityCheck?: boolean;
}

/**
 * Begins a credential that says what its sources say today, and enqueues the job that makes its file.
 * @returns undefined when there is one already that is generating or available
 * @throws Problem `failed-precondition` when an asset that the options name is missing, or naming a character that no font has
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
