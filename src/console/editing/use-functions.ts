import { useQuery } from "@connectrpc/connect-query";
import { FunctionKind } from "../../../gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "../../../gen/learning_credentials/v1/configuration_service_pb.js";
import type { EditedFields } from "./version.js";

/** The functions of the service do not change while it runs. */
const FRESH_MS = 600_000;

/** The functions that a type can name. */
export function useFunctions() {
  const { data, error, isPending } = useQuery(
    ConfigurationService.method.listFunctions,
    { pageSize: 1000 },
    { staleTime: FRESH_MS },
  );
  const all = data?.functions ?? [];
  const namesOf = (wanted: FunctionKind) => all.filter(({ kind }) => kind === wanted).map(({ name }) => name);
  return {
    error,
    /** An editor that began without them would lose what is typed when its fields change. */
    isPending,
    retrieval: namesOf(FunctionKind.RETRIEVAL),
    generation: namesOf(FunctionKind.GENERATION),
    summaryOf: (wanted: string) => all.find(({ name }) => name === wanted)?.summary,
    of: ({ retrievalFunc, generationFunc }: Partial<EditedFields>) =>
      all.filter(({ name }) => name === retrievalFunc || name === generationFunc),
  };
}
