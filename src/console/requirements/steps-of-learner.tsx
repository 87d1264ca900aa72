import {
  type CredentialEligibility,
  type Requirement,
  RequirementKind,
} from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { gradeFormat } from "../components/grade-format.js";
import { filledIn, isolated } from "../components/isolated.js";
import { keyParts } from "../components/key-parts.js";
import { useChapter } from "../i18n/chapter.js";
import { useFormats, useWords } from "../i18n/words.js";
import { Picture, type Step } from "./picture.js";
import { shownType } from "./required.js";

/** Another credential in a course or path of the same learner, which may be required. */
export interface OtherEntry {
  readonly learningContextKey: string;
  readonly configurationId: number;
  readonly entry: CredentialEligibility;
}

/** The steps of a learner to a credential, with what is met. */
export function StepsOfLearner({
  entry,
  others = [],
}: {
  readonly entry: CredentialEligibility;
  readonly others?: readonly OtherEntry[];
}) {
  const words = useChapter("trees");
  const stepOf = useStepOf(others);
  if (!entry.requirements) return null;
  return <Picture label={words.stepsTo({ name: entry.name })} steps={[stepOf(entry.requirements, entry)]} />;
}

function useStepOf(others: readonly OtherEntry[]) {
  const words = useChapter("trees");
  const requirements = useChapter("requirements");
  const { learners } = useWords();
  const formats = useFormats();
  const { percent } = formats;
  const ofNeeded = (now: number, needed: number) =>
    learners.nowOf({ now: percent(now), needed: percent(needed) });

  function ownText(part: Requirement): string {
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
  }

  function figuresOf(part: Requirement, entry: CredentialEligibility): string[] {
    const gradeOf = gradeFormat(entry, formats);
    const { requiredGrades, currentGrades, requiredCompletion, currentCompletion = 0 } = part;
    const now = new Map(currentGrades.map(({ key, value }) => [key, value]));
    return [
      ...requiredGrades.map(({ key, value }) => {
        const name = key === "total" ? learners.total : isolated(shownType(key));
        return `${name}: ${learners.nowOf({ now: gradeOf(now.get(key) ?? 0), needed: gradeOf(value) })}`;
      }),
      ...(requiredCompletion === undefined ? [] : [ofNeeded(currentCompletion, requiredCompletion)]),
      ...(part.currentLetter === undefined
        ? []
        : [filledIn(words.letterNow, { letter: part.currentLetter })]),
    ];
  }

  function placeOf({ courseKeys, courseKey = "", isMet }: Requirement): string[] {
    if (courseKeys.length === 0) return [];
    const names = courseKeys.map((key) => isolated(keyParts(key))).join(" · ");
    if (courseKeys.length === 1) return [names];
    const run = isolated(keyParts(courseKey));
    return [names, isMet ? words.metIn({ course: run }) : words.shownIn({ course: run })];
  }

  function stepOf(part: Requirement, entry: CredentialEligibility, level = 0): Step {
    const { isMet, parts, holds, metCount = 0 } = part;
    if (holds) {
      const below = isMet || level > MAX_LEVELS ? undefined : entryOf(holds);
      return {
        text: requirements.holds({ name: isolated(holds.name) }),
        isMet,
        link:
          holds.verifyUuid === undefined
            ? { typeId: holds.credentialTypeId }
            : { verifyUuid: holds.verifyUuid },
        details: holds.learningContextKeys.map((key) => isolated(keyParts(key))),
        parts: below?.requirements ? [stepOf(below.requirements, below, level + 1)] : [],
      };
    }
    if (parts.length > 0)
      return {
        text: ownText(part),
        isMet,
        details: [words.metCount({ met: metCount, all: parts.length })],
        parts: parts.map((each) => stepOf(each, entry, level)),
      };
    return { text: ownText(part), isMet, details: [...figuresOf(part, entry), ...placeOf(part)] };
  }

  /** Returns the learner's progress towards a required credential. */
  function entryOf(holds: NonNullable<Requirement["holds"]>): CredentialEligibility | undefined {
    const { configurationId, credentialTypeId, learningContextKeys: keys } = holds;
    return others.find((each) =>
      configurationId > 0
        ? each.configurationId === configurationId
        : each.entry.credentialTypeId === credentialTypeId &&
          (keys.length === 0 || keys.includes(each.learningContextKey)),
    )?.entry;
  }

  return (part: Requirement, entry: CredentialEligibility) => stepOf(part, entry);
}

/** Credentials can't require each other, but data read at different times may look as if they did. */
const MAX_LEVELS = 20;
