import type { JsonObject } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { useChapter } from "../i18n/chapter.js";
import { useFormats, useLanguageTag } from "../i18n/words.js";
import { titleOf, useConfigurations } from "../offers/use-configurations.js";
import { useFunctions } from "../options/use-functions.js";
import { type Spoken, sentencesOf, treeSentence } from "./required.js";

const FRESH_MS = 60_000;

/**
 * Returns a function that describes who gets a credential by the options of a function, those of a configuration merged
 * over its type's.
 * @param about the object with the options; names of credentials are only loaded if it needs them
 */
export function useSentences(about: unknown) {
  const spoken = useSpoken(about);
  const { of } = useFunctions();
  return (retrievalFunc: string, options: JsonObject, nameOf?: (courseKey: string) => string) => {
    const [fn] = of({ retrievalFunc });
    return sentencesOf(options, fn, spoken, nameOf);
  };
}

/** Returns a function that describes a part of a tree. */
export function useTreeSentence(about: unknown) {
  const spoken = useSpoken(about);
  return (part: JsonObject, nameOf: (courseKey: string) => string) => treeSentence(part, spoken, nameOf);
}

function useSpoken(about: unknown): Spoken {
  const words = useChapter("requirements");
  const { percent } = useFormats();
  const list = new Intl.ListFormat(useLanguageTag(), { type: "conjunction" });
  const json = JSON.stringify(about) ?? "";
  const types = useQuery(
    ConfigurationService.method.listCredentialTypes,
    { pageSize: 1000 },
    { staleTime: FRESH_MS, enabled: json.includes('"credential_type_id"') },
  ).data?.credentialTypes;
  const offers = useConfigurations(json.includes('"configuration_id"')).all;
  return {
    words,
    percent,
    list: (parts) => list.format(parts),
    credentialName({ credential_type_id: typeId, configuration_id: offerId }) {
      const offer = offers?.find(({ id }) => id === offerId);
      return offer ? titleOf(offer) : types?.find(({ id }) => id === typeId)?.name;
    },
  };
}
