import { CheckOutcome } from "#gen/learning_credentials/v1/administration_service_pb.js";
import { numbersByName } from "../requests/parse-enum.js";

const outcomes = numbersByName(CheckOutcome);

/** Returns the field with the results of a check. */
export function presentChecks<Check extends { readonly outcome: keyof typeof outcomes }>(
  checks: readonly Check[],
) {
  return { checks: checks.map((each) => ({ ...each, outcome: outcomes[each.outcome] })) };
}
