import type { Message } from "@bufbuild/protobuf";
import { languagesOf } from "#foundation/languages/languages.js";
import { capitalized } from "#foundation/text/capitalized.js";
import { type GradingScale, gradingScaleNames } from "#foundation/text/grading-scale.js";
import { keyParts } from "#foundation/text/key-parts.js";
import { onlyPart } from "#foundation/text/only-part.js";
import { gradeIn } from "#foundation/text/printed-numbers.js";
import {
  type CredentialEligibility,
  type Requirement,
  RequirementKind,
  type StepProgress,
} from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { fillHtml, type Html, html } from "../http/html.js";
import type { PageLanguage } from "./languages.js";
import { isolatedHtml } from "./layout.js";

type Figures = Omit<StepProgress, "isEligible" | keyof Message>;

const documents = languagesOf("document");

/** Returns the scale in which documents print grades; undefined for percentages. */
function scaleOf({ gradingScale, gradingPoints }: CredentialEligibility): GradingScale | undefined {
  const name = gradingScaleNames.find((each) => each === gradingScale);
  if (name === undefined || name === "percentage") return undefined;
  return { name, ...(gradingPoints !== undefined && { points: gradingPoints }) };
}

/**
 * Renders the requirements together with the learner's results.
 * @param contextKey the credential's own course or path, which is omitted
 */
export function requirements(
  language: PageLanguage,
  entry: CredentialEligibility,
  contextKey: string,
): Html | undefined {
  const scale = scaleOf(entry);
  if (entry.requirements) {
    const root = onlyPart(entry.requirements);
    const parts = root.kind === RequirementKind.ALL ? root.parts : [root];
    return html`<ul>${parts.map((part) => requirementItem({ language, scale, contextKey }, part))}</ul>\n`;
  }
  if (entry.steps.length > 0) return stepList({ language, scale, contextKey }, entry);
  const rows = figuresOf(language, scale, entry);
  if (rows.length === 0) return undefined;
  return html`<table>
<thead><tr><th scope="col">${language.ltiPart}</th><th scope="col">${language.ltiYours}</th><th scope="col">${language.ltiNeeded}</th></tr></thead>
<tbody>
${rows.map(({ name, has, needs }) => html`<tr><th scope="row">${name}</th><td>${has}</td><td>${needs}</td></tr>\n`)}</tbody>
</table>
`;
}

interface Shown {
  readonly language: PageLanguage;
  readonly scale: GradingScale | undefined;
  readonly contextKey: string;
}

function stepList(shown: Shown, { steps, requiredSteps }: CredentialEligibility): Html {
  const { language } = shown;
  const needed =
    requiredSteps === undefined
      ? undefined
      : html`<p>${fillHtml(language.ltiAtLeastOf, { count: html`${String(requiredSteps)}` })}</p>\n`;
  return html`${needed}<ul>${steps.flatMap(({ key, value }) => (value ? [stepItem(shown, key, value)] : []))}</ul>\n`;
}

function stepItem({ language, scale }: Shown, courseKey: string, step: StepProgress): Html {
  const name = isolatedHtml(keyParts(courseKey));
  if (step.isEligible) return html`<li>✓ ${name}</li>`;
  const figures = figuresInWords(language, scale, step).map((each) => html`<li>${each}</li>`);
  return html`<li>${name}${figures.length === 0 ? undefined : html`<ul>${figures}</ul>`}</li>`;
}

function requirementItem(shown: Shown, tree: Requirement): Html {
  const { language, scale } = shown;
  const part = onlyPart(tree);
  const mark = part.isMet ? "✓ " : "";
  const { parts, requiredCount = 0, holds, courseKeys } = part;
  if (parts.length > 0)
    return html`<li>${mark}${groupName(language, part.kind, requiredCount)}<ul>${parts.map((each) => requirementItem(shown, each))}</ul></li>`;
  if (holds)
    return html`<li>${mark}${fillHtml(language.ltiHolds, { name: isolatedHtml(holds.name) })}${keysOf(shown, holds.learningContextKeys)}</li>`;
  const figures = figuresInWords(language, scale, part);
  const from = part.isMet && part.courseKey !== undefined ? [part.courseKey] : courseKeys;
  return html`<li>${mark}${listed(language, figures, "conjunction")}${keysOf(shown, from)}</li>`;
}

function groupName(language: PageLanguage, kind: RequirementKind, count: number): Html {
  if (kind === RequirementKind.ALL) return html`${language.ltiAllOf}`;
  if (kind === RequirementKind.ANY) return html`${language.ltiAnyOf}`;
  return fillHtml(language.ltiAtLeastOf, { count: html`${String(count)}` });
}

/** Lists the alternative courses and learning paths, unless the only one is the credential's own. */
function keysOf({ language, contextKey }: Shown, keys: readonly string[]): Html | undefined {
  if (keys.every((key) => key === contextKey)) return undefined;
  const names = keys.map((key) => isolatedHtml(keyParts(key)));
  return html` (${listed(language, names, "disjunction")})`;
}

function listed({ tag }: PageLanguage, all: readonly Html[], type: "conjunction" | "disjunction"): Html {
  const parts = new Intl.ListFormat(tag, { type }).formatToParts(all.map(({ html }) => html));
  return { html: parts.map(({ value }) => value).join("") };
}

function figuresInWords(...shown: Parameters<typeof figuresOf>): Html[] {
  const [language] = shown;
  return figuresOf(...shown).map(
    ({ name, has, needs }) => html`${name}${language.colon}${fillHtml(language.ltiHasNeeds, { has, needs })}`,
  );
}

function figuresOf(language: PageLanguage, scale: GradingScale | undefined, entry: Figures) {
  const tag = `${language.tag}-u-nu-latn`;
  const words = documents.choose([language.tag]);
  const percent = new Intl.NumberFormat(tag, {
    style: "percent",
    maximumFractionDigits: 1,
  });
  const gradeOf = (grade: number) =>
    html`${gradeIn({ scale, grade }, words, tag) ?? percent.format(grade / 100)}`;
  const letterOf = (letter: string) => isolatedHtml(gradeIn({ scale, letter }, words, tag) ?? letter);
  const current = new Map(entry.currentGrades.map(({ key, value }) => [key, value]));
  const rows = entry.requiredGrades
    .filter(({ value }) => value > 0)
    .map(({ key, value }) => ({
      name: key === "total" ? html`${language.ltiTotal}` : isolatedHtml(capitalized(key, language.tag)),
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
      needs: fillHtml(language.ltiOrBetter, { letter: letterOf(entry.requiredLetter) }),
    });
  return rows;
}
