import { useQuery } from "@connectrpc/connect-query";
import { textFor } from "#foundation/languages/message.js";
import { FunctionKind } from "#gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { useChapter } from "../i18n/chapter.js";

/** The functions of the service do not change while it runs. */
const FRESH_MS = 600_000;

/** The functions that a type can name. */
export function useFunctions() {
  const words = useChapter("designing");
  const { data, error, isPending } = useQuery(
    ConfigurationService.method.listFunctions,
    { pageSize: 1000 },
    { staleTime: FRESH_MS },
  );
  const all = data?.functions ?? [];
  const ofKind = (wanted: FunctionKind) => all.filter(({ kind }) => kind === wanted);
  return {
    error,
    /** An editor that began without them would lose what is typed when its fields change. */
    isPending,
    retrieving: ofKind(FunctionKind.RETRIEVAL),
    generating: ofKind(FunctionKind.GENERATION),
    /** What a function is for, in words; of a plug-in, in its own. */
    meaningOf: (name: string) =>
      textFor(words.functions, name.slice(name.lastIndexOf(".") + 1)) ??
      all.find((each) => each.name === name)?.summary ??
      name,
    of: ({ retrievalFunc, generationFunc }: { retrievalFunc?: string; generationFunc?: string }) =>
      all.filter(({ name }) => name === retrievalFunc || name === generationFunc),
  };
}
