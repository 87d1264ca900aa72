import { useQuery } from "@connectrpc/connect-query";
import { textFor } from "#foundation/languages/message.js";
import { FunctionKind } from "#gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { useChapter } from "../i18n/words.js";

/** Functions don't change while the service is running. */
const STALE_AFTER_MS = 600_000;

export function useFunctions() {
  const words = useChapter("designing");
  const { data, error, isPending } = useQuery(
    ConfigurationService.method.listFunctions,
    { pageSize: 1000 },
    { staleTime: STALE_AFTER_MS },
  );
  const all = data?.functions ?? [];
  const ofKind = (wanted: FunctionKind) => all.filter(({ kind }) => kind === wanted);
  return {
    error,
    /** Editors must wait for the functions. Otherwise, their fields would change and lose typed text. */
    isPending,
    retrieving: ofKind(FunctionKind.RETRIEVAL),
    generating: ofKind(FunctionKind.GENERATION),
    /** Returns the description of a function: the translated one or, for a plug-in's function, the plug-in's own. */
    meaningOf: (name: string) =>
      textFor(words.functions, name.slice(name.lastIndexOf(".") + 1)) ??
      all.find((each) => each.name === name)?.summary ??
      name,
    of: ({ retrievalFunc, generationFunc }: { retrievalFunc?: string; generationFunc?: string }) =>
      all.filter(({ name }) => name === retrievalFunc || name === generationFunc),
  };
}
