import type { JsonObject } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { isPathKey } from "#foundation/text/key-parts.js";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { examplesAt } from "../options/change-options.js";

/** Maximum number of learners whose attributes are read. */
const MAX_LEARNERS = 100;
/** Offered instead of `{second.<phrase>}`, in which users would have to fill in the phrase. */
const SECOND_LANGUAGE_EXAMPLES = ["{second.title}", "{second.issue_date}"];
const NEVER_STALE = { staleTime: Number.POSITIVE_INFINITY };

/** Returns the placeholders. They include results and attributes of the learners in a course or path. */
export function usePlaceholders(
  schema: JsonObject,
  retrievalFunc: string,
  learningContextKey: string | undefined,
): readonly string[] {
  const isKnown = learningContextKey !== undefined;
  const options = { enabled: isKnown, ...NEVER_STALE };
  const graded = useQuery(
    EligibilityService.method.previewEligibility,
    { learningContextKey: learningContextKey ?? "", retrievalFunc },
    { ...options, enabled: isKnown && !isPathKey(learningContextKey) },
  );
  const found = useQuery(
    LearnerRecordService.method.searchLearners,
    { learningContextKey: learningContextKey ?? "", pageSize: MAX_LEARNERS },
    options,
  );
  const types = graded.data?.courses.flatMap(({ assignmentTypes }) => assignmentTypes) ?? [];
  const attributes =
    found.data?.learners.flatMap(({ learner }) => Object.keys(learner?.attributes ?? {})) ?? [];
  return [
    ...examplesAt(schema, "text_elements.additionalProperties.anyOf.1.properties.text").flatMap((each) =>
      each === "{second.<phrase>}" ? SECOND_LANGUAGE_EXAMPLES : [each],
    ),
    ...types.filter((type) => !/[{}\n]/.test(type)).map((type) => `{grade.${type}}`),
    ...[...new Set(attributes)].sort().map((name) => `{learner.${name}}`),
  ];
}
