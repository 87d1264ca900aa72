import type { Credential } from "#gen/learning_credentials/v1/credential_pb.js";
import { containsUuid } from "../components/contains-uuid.js";
import { shownStatusOf } from "../components/status.js";
import type { Chapters } from "../i18n/load-chapter.js";

/**
 * Returns the search request for a replacement. Searches all credentials for a pasted UUID or URL, and only the
 * learner's credentials for any other text.
 */
export function replacementQuery(text: string, { username }: Pick<Credential, "username">) {
  const query = text.trim();
  return containsUuid(query) ? { query } : { query, filter: { username } };
}

/** Returns why a credential can't replace a withdrawn one; undefined if it can. The service checks this as well. */
export function unfitReason(
  candidate: Credential,
  withdrawn: Credential,
): keyof Chapters["replacement"]["unfit"] | undefined {
  if (candidate.uuid === withdrawn.uuid) return "itself";
  if (candidate.username !== withdrawn.username) return "otherLearner";
  const status = shownStatusOf(candidate);
  if (status !== "valid" && status !== "expired") return "notAvailable";
  return candidate.replacesUuid === "" ? undefined : "replacesAnother";
}
