import type { JsonObject } from "@bufbuild/protobuf";
import { isolated } from "../components/isolated.js";
import { useChapter, useFormats, useLanguageTag } from "../i18n/words.js";
import { contextNameOf, useConfigurations } from "../offers/use-configurations.js";
import { useFunctions } from "../options/use-functions.js";
import { useCredentialTypes } from "../service/all-pages.js";
import { type RequirementWording, sentencesOf, treeSentence } from "./required.js";

/**
 * Returns a function that describes who gets a credential.
 * @param about an object that contains the options; names of credentials are loaded only if the options refer to them
 */
export function useSentences(about: unknown) {
  const wording = useRequirementWording(about);
  const { of } = useFunctions();
  return (retrievalFunc: string, options: JsonObject, nameOf?: (courseKey: string) => string) => {
    const [fn] = of({ retrievalFunc });
    return sentencesOf(options, fn, wording, nameOf);
  };
}

export function useTreeSentence(about: unknown) {
  const wording = useRequirementWording(about);
  return (part: JsonObject, nameOf: (courseKey: string) => string) => treeSentence(part, wording, nameOf);
}

function useRequirementWording(about: unknown): RequirementWording {
  const words = useChapter("requirements");
  const { percent, colon } = useFormats();
  const list = new Intl.ListFormat(useLanguageTag(), { type: "conjunction" });
  const json = JSON.stringify(about) ?? "";
  const types = useCredentialTypes(json.includes('"credential_type_id"'));
  const offers = useConfigurations(json.includes('"configuration_id"')).all;
  return {
    words,
    percent,
    colon,
    list: (parts) => list.format(parts),
    credentialName({ credential_type_id: typeId, configuration_id: offerId }) {
      const offer = offers?.find(({ id }) => id === offerId);
      if (!offer) return types?.find(({ id }) => id === typeId)?.name;
      const requirement = isolated(offer.credentialTypeName);
      return words.inCourses({ requirement, courses: isolated(contextNameOf(offer)) });
    },
  };
}
