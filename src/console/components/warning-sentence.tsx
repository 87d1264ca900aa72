import { capitalized } from "#foundation/text/capitalized.js";
import { keyParts } from "#foundation/text/key-parts.js";
import { type Warning, WarningKind } from "#gen/learning_credentials/v1/configuration_pb.js";
import { useChapter, useLanguageTag } from "../i18n/words.js";
import { filledIn, isolated } from "./isolated.js";

/**
 * Shows a warning in the language of the console. A warning of a kind that the console doesn't know is in English.
 * @param facts labels of the facts in a list, by their names in the API
 */
export function WarningSentence({
  of: { kind, courseKey, name, known, text },
  facts = {},
}: {
  readonly of: Warning;
  readonly facts?: Readonly<Record<string, string>>;
}) {
  const words = useChapter("warnings");
  const list = new Intl.ListFormat(useLanguageTag(), { type: "conjunction" });
  const course = keyParts(courseKey);
  const listed = (names: readonly string[]) => list.format(names.map(isolated));
  switch (kind) {
    case WarningKind.UNKNOWN_LETTER:
      return filledIn(words.unknownLetter, { course, name, known: listed(known) });
    case WarningKind.NO_COMPLETION:
      return filledIn(words.noCompletion, { course });
    case WarningKind.NO_PASS:
      return filledIn(words.noPass, { course });
    case WarningKind.NO_LETTER:
      return filledIn(words.noLetter, { course, name });
    case WarningKind.NO_GRADE:
      return filledIn(words.noGrade, { course, name: capitalized(name) });
    case WarningKind.UNKNOWN_ASSIGNMENT_TYPE: {
      const types = listed(known.map((type) => capitalized(type)));
      return filledIn(words.unknownAssignmentType, { course, name: capitalized(name), known: types });
    }
    case WarningKind.UNPRINTED_FACT:
      return filledIn(words.unprinted, { name: facts[name] ?? name });
    case WarningKind.UNPRINTED_ATTRIBUTE:
      return filledIn(words.unprinted, { name });
    default:
      kind satisfies WarningKind.UNSPECIFIED; // the compiler reports kinds without words
      return (
        <span lang="en" dir="ltr">
          {text}
        </span>
      );
  }
}
