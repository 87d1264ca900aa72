import { useQuery } from "@connectrpc/connect-query";
import { keyParts } from "#foundation/text/key-parts.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";

/**
 * Returns the name of a course or learning path. While the name is loading, or if the course or path has no record,
 * returns the readable parts of the key.
 */
export function useContextName(key: string | undefined): string {
  const { data } = useQuery(
    LearnerRecordService.method.listLearningContexts,
    { query: key ?? "", pageSize: 20 },
    { enabled: !!key },
  );
  const context = data?.contexts.find(({ learningContextKey }) => learningContextKey === key);
  return context?.displayName || keyParts(key ?? "");
}
