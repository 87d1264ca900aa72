import type { JsonObject } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { usePaused } from "../components/use-paused.js";

/** Requirements, saved or not, and the context for testing them. */
export interface Tried {
  readonly retrievalFunc: string;
  /** Options of the type, for a configuration. */
  readonly typeOptions: JsonObject;
  readonly customOptions: JsonObject;
  /** undefined: no context yet. */
  readonly learningContextKey: string | undefined;
  /** Empty: no learner. */
  readonly username?: string;
  /** The configuration whose saved requirements are compared; 0: none. */
  readonly configurationId?: number;
}

/** Queries who would be eligible now, and repeats the query when the requirements change, after a pause in typing. */
export function useEligibility(tried: Tried) {
  const settled = JSON.parse(usePaused(JSON.stringify(tried))) as Tried;
  const isComplete = settled.learningContextKey !== undefined && settled.retrievalFunc !== "";
  const found = useQuery(
    EligibilityService.method.previewEligibility,
    { ...settled, learningContextKey: settled.learningContextKey ?? "" },
    { enabled: isComplete, placeholderData: keepPreviousData },
  );
  return { ...found, data: isComplete ? found.data : undefined };
}
