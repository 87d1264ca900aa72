import type { JsonObject } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { usePaused } from "../components/use-paused.js";

/** Requirements, saved or not, and the context for testing them. */
interface EligibilityTrial {
  readonly retrievalFunc: string;
  /** Options of the type, if a configuration is tested. */
  readonly typeOptions: JsonObject;
  readonly customOptions: JsonObject;
  /** undefined until a context is selected. */
  readonly learningContextKey: string | undefined;
  /** Empty if no learner is selected. */
  readonly username?: string;
  /** The configuration whose saved requirements are compared; 0 for none. */
  readonly configurationId?: number;
}

/** Queries who would be eligible now. Queries again when the requirements have stopped changing. */
export function useEligibility(trial: EligibilityTrial) {
  const settled = JSON.parse(usePaused(JSON.stringify(trial))) as EligibilityTrial;
  const isComplete = settled.learningContextKey !== undefined && settled.retrievalFunc !== "";
  const found = useQuery(
    EligibilityService.method.previewEligibility,
    { ...settled, learningContextKey: settled.learningContextKey ?? "" },
    { enabled: isComplete, placeholderData: keepPreviousData },
  );
  return { ...found, data: isComplete ? found.data : undefined };
}
