import type { MessageInitShape } from "@bufbuild/protobuf";
import type * as domain from "#domain/eligibility/warning.js";
import { WarningKind, type WarningSchema } from "#gen/learning_credentials/v1/configuration_pb.js";
import { numbersByName } from "../requests/parse-enum.js";

const presentedKind = numbersByName(WarningKind);

/** Returns the fields for warnings: in English, and as data. */
export function presentWarnings(warnings: readonly domain.Warning[]) {
  return {
    warnings: warnings.map(({ text }) => text),
    explainedWarnings: warnings.map(
      ({ kind, known = [], ...warning }): MessageInitShape<typeof WarningSchema> => ({
        ...warning,
        kind: presentedKind[kind],
        known: [...known],
      }),
    ),
  };
}
