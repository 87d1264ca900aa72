import type { JsonObject } from "@bufbuild/protobuf";
import { isolated } from "../components/isolated.js";
import { useChapter, useFormats, useLanguageTag } from "../i18n/words.js";
import { contextOf, useConfigurations } from "../offers/use-configurations.js";
import { useFunctions } from "../options/use-functions.js";
import { useCredentialTypes } from "../service/all-pages.js";
import { type Spoken, sentencesOf, treeSentence } from "./required.js";

/**
 * Returns a function that describes who gets a credential.
 * @param about an object that contains the options; names of credentials are loaded only if the options refer to them
 */
export function useSentences(about: unknown) {
  const spoken = useSpoken(about);
  const { of } = useFunctions();
  return (retrievalFunc: string, options: JsonObject, nameOf?: (courseKey: string) => string) => {
    const [fn] = of({ retrievalFunc });
    return sentencesOf(options, fn, spoken, nameOf);
  };
}

export function useTreeSentence(about: unknown) {
  const spoken = useSpoken(about);
  return (part: JsonObject, nameOf: (courseKey: string) => string) => treeSentence(part, spoken, nameOf);
}

function useSpoken(about: unknown): Spoken {
  const words = useChapter("requirements");
  const { percent } = useFormats();
  const list = new Intl.ListFormat(useLanguageTag(), { type: "conjunction" });
  const json = JSON.stringify(about) ?? "";
  const types = useCredentialTypes(json.includes('"credential_type_id"'));
  const offers = useConfigurations(json.includes('"configuration_id"')).all;
  return {
    words,
    percent,
    list: (parts) => list.format(parts),
    credentialName({ credential_type_id: typeId, configuration_id: offerId }) {
      const offer = offers?.find(({ id }) => id === offerId);
      if (!offer) return types?.find(({ id }) => id === typeId)?.name;
      const requirement = isolated(offer.credentialTypeName);
      return words.inCourses({ requirement, courses: isolated(contextOf(offer)) });
    },
  };
}
