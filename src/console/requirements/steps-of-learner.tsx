import { capitalized } from "#foundation/text/capitalized.js";
import { keyParts } from "#foundation/text/key-parts.js";
import { onlyPart } from "#foundation/text/only-part.js";
import {
  type CredentialEligibility,
  type Requirement,
  RequirementKind,
} from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { nameCourses } from "../components/alternatives.js";
import { gradeFormat } from "../components/grade-format.js";
import { filledIn, isolated } from "../components/isolated.js";
import { useChapter, useFormats, useLanguageTag, useWords } from "../i18n/words.js";
import { type Step, StepsPicture } from "./picture.js";
import { MAX_SHOWN_LEVELS } from "./tree.js";

/** Another credential of the learner. A requirement may refer to it. */
export interface OtherEntry {
  readonly learningContextKey: string;
  readonly configurationId: number;
  readonly entry: CredentialEligibility;
}

type OwnEntry = Pick<OtherEntry, "entry" | "learningContextKey">;

export function StepsOfLearner({
  entry,
  contextKey,
  others = [],
}: {
  readonly entry: CredentialEligibility;
  readonly contextKey: string;
  readonly others?: readonly OtherEntry[];
}) {
  const words = useChapter("trees");
  const stepOf = useStepOf(others);
  if (!entry.requirements) return null;
  return (
    <StepsPicture
      label={words.stepsTo({ name: entry.name })}
      steps={[stepOf(entry.requirements, { entry, learningContextKey: contextKey })]}
    />
  );
}

function useStepOf(others: readonly OtherEntry[]) {
  const words = useChapter("trees");
  const requirements = useChapter("requirements");
  const tag = useLanguageTag();
  const ownText = useOwnText();
  const figuresOf = useFigures();

  function placeOf({ courseKeys, courseKey = "", isMet }: Requirement, contextKey: string): string[] {
    const [only, ...others] = courseKeys;
    if (only === undefined || (only === contextKey && others.length === 0)) return [];
    const names = nameCourses(courseKeys.map(keyParts), requirements);
    if (others.length === 0) return [names];
    const run = isolated(keyParts(courseKey));
    return [names, isMet ? words.metIn({ course: run }) : words.shownIn({ course: run })];
  }

  function stepOf(tree: Requirement, of: OwnEntry, level = 0): Step {
    const part = onlyPart(tree);
    const { isMet, parts, holds, metCount = 0 } = part;
    if (holds) {
      const below = isMet || level > MAX_SHOWN_LEVELS ? undefined : entryOf(holds);
      const isElsewhere = holds.learningContextKeys.some((key) => key !== of.learningContextKey);
      return {
        text: capitalized(requirements.holds({ name: isolated(holds.name) }), tag),
        isMet,
        link:
          holds.verifyUuid === undefined
            ? { typeId: holds.credentialTypeId }
            : { verifyUuid: holds.verifyUuid },
        details: isElsewhere ? [nameCourses(holds.learningContextKeys.map(keyParts), requirements)] : [],
        parts: below?.entry.requirements ? [stepOf(below.entry.requirements, below, level + 1)] : [],
      };
    }
    if (parts.length > 0)
      return {
        text: ownText(part),
        isMet,
        details: [words.metCount({ met: metCount, all: parts.length })],
        parts: parts.map((each) => stepOf(each, of, level)),
      };
    const details = [...figuresOf(part, of.entry), ...placeOf(part, of.learningContextKey)];
    return { text: ownText(part), isMet, details };
  }

  /** Returns the learner's progress towards a credential that is required. */
  function entryOf(holds: NonNullable<Requirement["holds"]>): OtherEntry | undefined {
    const { configurationId, credentialTypeId, learningContextKeys: keys } = holds;
    return others.find((each) =>
      configurationId > 0
        ? each.configurationId === configurationId
        : each.entry.credentialTypeId === credentialTypeId &&
          (keys.length === 0 || keys.includes(each.learningContextKey)),
    );
  }

  return (tree: Requirement, of: OwnEntry) => stepOf(tree, of);
}

/** Returns a function that describes a requirement without the requirements inside it. */
function useOwnText(): (part: Requirement) => string {
  const words = useChapter("trees");
  const requirements = useChapter("requirements");
  return (part) => {
    const { kind, requiredCount = 0 } = part;
    switch (kind) {
      case RequirementKind.ALL:
        return words.rules.all;
      case RequirementKind.ANY:
        return words.rules.any;
      case RequirementKind.AT_LEAST:
        return words.atLeast({ count: requiredCount });
      case RequirementKind.COMPLETION:
        return requirements.completion;
      case RequirementKind.PASSED:
        return requirements.passed;
      case RequirementKind.LETTER:
        return filledIn(requirements.hasLetter, { letter: part.requiredLetter ?? "" });
      default:
        return words.kinds.grade;
    }
  };
}

/** Returns a function that lists the learner's results, with those that are required. */
function useFigures(): (part: Requirement, entry: CredentialEligibility) => string[] {
  const words = useChapter("trees");
  const { learners } = useWords();
  const formats = useFormats();
  const { colon, percent } = formats;
  const ofNeeded = (now: number, needed: number) =>
    learners.nowOf({ now: percent(now), needed: percent(needed) });
  return (part, entry) => {
    const gradeOf = gradeFormat(entry, formats);
    const { requiredGrades, currentGrades, requiredCompletion, currentCompletion = 0 } = part;
    const now = new Map(currentGrades.map(({ key, value }) => [key, value]));
    return [
      ...requiredGrades.map(({ key, value }) => {
        const name = key === "total" ? learners.total : isolated(capitalized(key));
        return `${name}${colon}${learners.nowOf({ now: gradeOf(now.get(key) ?? 0), needed: gradeOf(value) })}`;
      }),
      ...(requiredCompletion === undefined ? [] : [ofNeeded(currentCompletion, requiredCompletion)]),
      ...(part.currentLetter === undefined
        ? []
        : [filledIn(words.letterNow, { letter: part.currentLetter })]),
    ];
  };
}
