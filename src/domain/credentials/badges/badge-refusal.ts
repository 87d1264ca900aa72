import { failedPrecondition, Problem } from "#foundation/errors.js";
import { OPEN_BADGE } from "../../configurations/open-badge-option.js";
import type { Credential } from "../credential.js";
import { wrongStatus } from "../get-credential.js";

type Holding = Pick<Credential, "status" | "erasedAt" | "importedAt" | "options">;

/**
 * Returns why a credential has no Open Badge, or `undefined` if it has one. An expired credential has a badge, which
 * states when it expired.
 */
export function badgeRefusal({ status, erasedAt, importedAt, options }: Holding): Problem | undefined {
  if (erasedAt !== null)
    return new Problem("gone", "The learner was erased, so there is no badge.", {
      reason: "LEARNER_ERASED",
    });
  if (status === "invalidated")
    return new Problem("gone", "The credential was invalidated, so its badge is no longer signed.", {
      reason: "INVALIDATED",
    });
  if (status !== "available") return wrongStatus(status, "only an available one has an Open Badge");
  if (importedAt !== null && !Object.hasOwn(options, OPEN_BADGE)) {
    return failedPrecondition(
      "The credential was issued elsewhere and imported without open_badge, so this service signs no badge for it.",
      { reason: "ISSUED_ELSEWHERE" },
    );
  }
  if (options[OPEN_BADGE] === false) {
    return failedPrecondition("Credentials of this type have no Open Badge.", {
      reason: "NO_BADGE",
    });
  }
  return undefined;
}
