import type { Credential } from "#gen/learning_credentials/v1/credential_pb.js";
import { standingOf } from "../components/status.js";
import type { Chapters } from "../i18n/load-chapter.js";

const hasUuid = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/i;

/** Returns the search for a text: a pasted UUID or URL among all credentials, other words among the learner's own. */
export function replacementQuery(text: string, { username }: Pick<Credential, "username">) {
  const query = text.trim();
  return hasUuid.test(query) ? { query } : { query, filter: { username } };
}

/** Returns why a credential can't replace a withdrawn one; undefined if it can. The service checks it in any case. */
export function unfitReason(
  candidate: Credential,
  withdrawn: Credential,
): keyof Chapters["replacement"]["unfit"] | undefined {
  if (candidate.uuid === withdrawn.uuid) return "itself";
  if (candidate.username !== withdrawn.username) return "otherLearner";
  const standing = standingOf(candidate);
  if (standing !== "valid" && standing !== "expired") return "notAvailable";
  return candidate.replacesUuid === "" ? undefined : "replacesAnother";
}
