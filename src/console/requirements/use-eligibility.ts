import type { JsonObject } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { usePaused } from "../components/use-paused.js";

/** Requirements, saved or not, and where they are tried. */
export interface Tried {
  readonly retrievalFunc: string;
  /** Those of the type, if they are of a configuration. */
  readonly typeOptions: JsonObject;
  readonly customOptions: JsonObject;
  /** Undefined: nowhere yet. */
  readonly learningContextKey: string | undefined;
  /** Empty: nobody. */
  readonly username?: string;
  /** The configuration whose saved requirements are compared. 0: none. */
  readonly configurationId?: number;
}

/** To whom requirements would give a credential now, asked again when typing rests. */
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
