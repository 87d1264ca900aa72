import { enqueueJobs } from "../jobs/enqueue.js";
import type { LearnerTransaction } from "../learners/learner-transaction.js";
import type { Credential } from "./credential.js";
import { readDesign } from "./credential-design.js";
import type { CompleteSources } from "./credential-sources.js";
import { beginCredential } from "./credential-store.js";
import { appendEvents } from "./events/append-events.js";
import type { IssuingParts } from "./issue-credential.js";

/** Whose credential it is, under which configuration, who issues it, and in place of which one. */
export interface Beginning {
  readonly username: string;
  readonly configurationId: number;
  /** Username of the staff user or service. */
  readonly issuedBy: string;
  /** `uuid` of the invalidated one. */
  readonly replaces: string | null;
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
  const { userFullName } = sources;
  const { content, checkName } = await readDesign(transaction, parts, beginning.configurationId, sources);
  checkName(userFullName);

  const begun = await beginCredential(transaction, { ...content, ...beginning, userFullName });
  if (!begun) return undefined;
  const before = begun.hasFailedBefore ? "error" : null;
  const issued = { type: "issued", actor: beginning.issuedBy, before, after: "generating" } as const;
  await appendEvents(transaction, issued, [begun]);
  await enqueueJobs(transaction, [{ task: "generate_credential", payload: { credentialId: begun.id } }]);
  return begun;
}
