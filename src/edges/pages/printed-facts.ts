import type { PrintedFacts } from "#domain/credentials/verification/look-up-verification.js";
import { languagesOf } from "#foundation/languages/languages.js";
import { gradeIn, numberIn, partialGradeIn, percentageIn } from "#foundation/text/printed-numbers.js";
import { type Html, html } from "../http/html.js";
import type { PageLanguage } from "./languages.js";
import { isolatedHtml } from "./layout.js";

const documents = languagesOf("document");

/** Renders the facts printed on the document, for comparing a paper copy with the page. */
export function printedFacts(facts: PrintedFacts, language: PageLanguage): Html[] {
  const { hours, credits, steps, grade, grades = {}, letter, passed, scale, completion } = facts;
  const { learnerId, unconfirmed } = facts;
  const words = documents.choose([language.tag]);
  const labels = { ...words, details: language.otherDetails };
  const percentage = (value: number | undefined) => value !== undefined && percentageIn(value, language.tag);
  const number = (value: number | undefined) => value !== undefined && numberIn(value, language.tag);
  const onScale = gradeIn(facts, words, language.tag);
  const saysLetter = onScale !== undefined && scale?.name !== "points" && scale?.name !== "pass_fail";
  const rows: (readonly [label: Html | string, value: string | false | undefined])[] = [
    [words.hours, number(hours)],
    [words.credits, credits],
    [words.steps, number(steps)],
    [words.grade, onScale ?? percentage(grade)],
    ...Object.entries(grades).map(
      ([type, value]) =>
        [
          html`${words.grade} <span class="second">${isolatedHtml(type)}</span>`,
          partialGradeIn(value, scale, language.tag),
        ] as const,
    ),
    [words.letterGrade, saysLetter ? undefined : letter],
    [
      words.result,
      scale?.name === "pass_fail" || passed === undefined
        ? undefined
        : passed
          ? words.passed
          : words.notPassed,
    ],
    [words.completion, percentage(completion)],
    [words.learnerId, learnerId],
  ];
  return [
    ...rows.flatMap(([label, value]) =>
      value ? [html`<div><dt>${label}</dt><dd>${isolatedHtml(value)}</dd></div>\n`] : [],
    ),
    ...unconfirmed.map(
      (each) =>
        html`<div><dt>${labels[each]}</dt><dd><span class="second">${language.notConfirmedHere}</span></dd></div>\n`,
    ),
  ];
}
