import { languagesOf } from "#foundation/languages/languages.js";
import { type GradingScale, gradingScaleNames } from "#foundation/text/grading-scale.js";
import { gradeIn } from "#foundation/text/printed-numbers.js";
import {
  type CredentialEligibility,
  type Requirement,
  RequirementKind,
} from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { fill, type Html, html } from "../http/html.js";
import type { PageLanguage } from "./languages.js";
import { isolated } from "./layout.js";

type Figures = Pick<
  Requirement,
  | "currentGrades"
  | "requiredGrades"
  | "currentCompletion"
  | "requiredCompletion"
  | "currentPassed"
  | "requiredPassed"
  | "currentLetter"
  | "requiredLetter"
>;

const documents = languagesOf("document");

/** Returns the scale in which documents print grades; undefined for percentages. */
function scaleOf({ gradingScale, gradingPoints }: CredentialEligibility): GradingScale | undefined {
  const name = gradingScaleNames.find((each) => each === gradingScale);
  if (name === undefined || name === "percentage") return undefined;
  return { name, ...(gradingPoints !== undefined && { points: gradingPoints }) };
}

/** Renders the requirements beside the learner's results. */
export function requirements(language: PageLanguage, entry: CredentialEligibility): Html | undefined {
  const scale = scaleOf(entry);
  if (entry.requirements) return html`<ul>${requirementItem(language, scale, entry.requirements)}</ul>\n`;
  const rows = figuresOf(language, scale, entry);
  if (rows.length === 0) return undefined;
  return html`<table>
<thead><tr><th scope="col">${language.ltiPart}</th><th scope="col">${language.ltiYours}</th><th scope="col">${language.ltiNeeded}</th></tr></thead>
<tbody>
${rows.map(({ name, has, needs }) => html`<tr><th scope="row">${name}</th><td>${has}</td><td>${needs}</td></tr>\n`)}</tbody>
</table>
`;
}

/** Renders a node of the requirements tree, with a tick if it is met. */
function requirementItem(language: PageLanguage, scale: GradingScale | undefined, part: Requirement): Html {
  const mark = part.isMet ? "✓ " : "";
  const { parts, requiredCount = 0, holds, courseKeys } = part;
  if (parts.length > 0)
    return html`<li>${mark}${groupName(language, part.kind, requiredCount)}<ul>${parts.map((each) => requirementItem(language, scale, each))}</ul></li>`;
  if (holds) {
    const where =
      holds.learningContextKeys.length === 0
        ? undefined
        : html` ${keysOf(language, holds.learningContextKeys)}`;
    return html`<li>${mark}${fill(language.ltiHolds, { name: isolated(holds.name) })}${where}</li>`;
  }
  const figures = figuresOf(language, scale, part).map(
    ({ name, has, needs }) => html`${name}: ${fill(language.ltiHasNeeds, { has, needs })} `,
  );
  return html`<li>${mark}${figures}${keysOf(language, courseKeys)}</li>`;
}

function groupName(language: PageLanguage, kind: RequirementKind, count: number): Html {
  if (kind === RequirementKind.ALL) return html`${language.ltiAllOf}`;
  if (kind === RequirementKind.ANY) return html`${language.ltiAnyOf}`;
  return fill(language.ltiAtLeastOf, { count: html`${String(count)}` });
}

/** Lists courses and learning paths of which any is enough. */
function keysOf({ tag }: PageLanguage, keys: readonly string[]): Html {
  const parts = new Intl.ListFormat(tag, { type: "disjunction" }).formatToParts(keys);
  return html`(${parts.map(({ type, value }) => (type === "element" ? html`<bdi>${value}</bdi>` : html`${value}`))})`;
}

/** Returns the required results, each with the learner's own. */
function figuresOf(language: PageLanguage, scale: GradingScale | undefined, entry: Figures) {
  const tag = `${language.tag}-u-nu-latn`;
  const words = documents.choose([language.tag]);
  const percent = new Intl.NumberFormat(tag, {
    style: "percent",
    maximumFractionDigits: 1,
  });
  const gradeOf = (grade: number) =>
    html`${gradeIn({ scale, grade }, words, tag) ?? percent.format(grade / 100)}`;
  const letterOf = (letter: string) => isolated(gradeIn({ scale, letter }, words, tag) ?? letter);
  const current = new Map(entry.currentGrades.map(({ key, value }) => [key, value]));
  const rows = entry.requiredGrades
    .filter(({ value }) => value > 0)
    .map(({ key, value }) => ({
      name: key === "total" ? html`${language.ltiTotal}` : isolated(key),
      has: gradeOf(current.get(key) ?? 0),
      needs: gradeOf(value),
    }));
  if (entry.requiredCompletion !== undefined)
    rows.push({
      name: html`${language.ltiCompleted}`,
      has: html`${percent.format(entry.currentCompletion ?? 0)}`,
      needs: html`${percent.format(entry.requiredCompletion)}`,
    });
  if (entry.requiredPassed)
    rows.push({
      name: html`${language.ltiPassed}`,
      has: html`${entry.currentPassed ? language.ltiYes : language.ltiNotYet}`,
      needs: html`${language.ltiYes}`,
    });
  if (entry.requiredLetter !== undefined)
    rows.push({
      name: html`${language.ltiLetter}`,
      has: entry.currentLetter === undefined ? html`–` : letterOf(entry.currentLetter),
      needs: fill(language.ltiOrBetter, { letter: letterOf(entry.requiredLetter) }),
    });
  return rows;
}
