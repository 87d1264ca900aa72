import { capitalized } from "#foundation/text/capitalized.js";
import { keyParts } from "#foundation/text/key-parts.js";
import {
  type CredentialEligibility,
  type Requirement,
  RequirementKind,
  type StepProgress,
} from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import type { Chapters, ConsoleWording } from "../i18n/load-chapter.js";
import type { Formats } from "../i18n/words.js";
import { choicesOf, nameCourses } from "./alternatives.js";
import { gradeFormat } from "./grade-format.js";
import { filledIn, isolated } from "./isolated.js";

/**
 * Returns what a learner still lacks for a credential, one line per requirement. In a path, a line about a single
 * course starts with the course.
 * @param contextKey the credential's own course or path; lines about it don't name it
 */
export function missingFor(
  entry: CredentialEligibility,
  contextKey: string,
  words: ConsoleWording["learners"],
  requirements: Chapters["requirements"],
  formats: Pick<Formats, "number" | "percent" | "colon">,
): string[] {
  if (entry.isEligible) return [];
  const { percent, colon } = formats;
  const gradeOf = gradeFormat(entry, formats);
  const of = (now: number, needed: number) => words.nowOf({ now: percent(now), needed: percent(needed) });
  const inCourse = (progress: CredentialEligibility | StepProgress | Requirement): string[] => {
    const { currentGrades, requiredGrades, currentCompletion = 0, requiredCompletion = 0 } = progress;
    const attained = new Map(currentGrades.map(({ key, value }) => [key, value]));
    const grades = requiredGrades.flatMap(({ key, value }) => {
      const now = attained.get(key) ?? 0;
      if (now >= value) return [];
      return [
        `${key === "total" ? words.total : isolated(capitalized(key))}${colon}${words.nowOf({ now: gradeOf(now), needed: gradeOf(value) })}`,
      ];
    });
    return [
      ...grades,
      ...(currentCompletion >= requiredCompletion
        ? []
        : [`${words.completion}${colon}${of(currentCompletion, requiredCompletion)}`]),
      ...(progress.requiredPassed && !progress.currentPassed ? [requirements.notPassed] : []),
      ...missingLetter(progress, requirements),
    ];
  };
  const inTree = (part: Requirement): string[] => {
    const { isMet, kind, parts, requiredCount = 0, metCount = 0, courseKeys, holds } = part;
    if (isMet) return [];
    if (kind > RequirementKind.AT_LEAST) {
      const keys = holds ? holds.learningContextKeys : courseKeys;
      const lines = holds ? [requirements.holds({ name: isolated(holds.name) })] : inCourse(part);
      if (keys.every((key) => key === contextKey)) return lines;
      const courses = nameCourses(keys.map(keyParts), requirements);
      return lines.map((requirement) => requirements.inCourses({ requirement, courses }));
    }
    const unmet = parts.map(inTree).filter((lines) => lines.length > 0);
    if (requiredCount === parts.length) return unmet.flat();
    const list = choicesOf(
      unmet.map((lines) =>
        lines.reduce((list, requirement) => requirements.nextRequirement({ list, requirement })),
      ),
      requirements,
    );
    const count = requiredCount - metCount;
    return [
      count === 1 ? requirements.oneMoreOf({ list }) : requirements.moreOf({ count: String(count), list }),
    ];
  };
  if (entry.requirements) return inTree(entry.requirements).map((line) => capitalized(line));
  const steps = entry.steps.flatMap(({ key, value }) => {
    if (!value || value.isEligible) return [];
    const missing = inCourse(value);
    const course = isolated(keyParts(key));
    return missing.length === 0
      ? [`${course}${colon}${words.notEligible}`]
      : missing.map((line) => `${course}${colon}${line}`);
  });
  return [...inCourse(entry), ...steps];
}

function missingLetter(
  { requiredLetter, currentLetter, acceptedLetters }: CredentialEligibility | StepProgress | Requirement,
  words: Chapters["requirements"],
): string[] {
  if (requiredLetter === undefined) return [];
  if (currentLetter !== undefined && acceptedLetters.includes(currentLetter)) return [];
  return [
    currentLetter === undefined
      ? filledIn(words.noLetter, { needed: requiredLetter })
      : filledIn(words.letterNow, { now: currentLetter, needed: requiredLetter }),
  ];
}
