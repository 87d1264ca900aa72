import { isPhraseName, isSecondName, type PhraseName, phraseNames, type SecondName } from "./phrases.js";

/** The placeholders that texts can contain, by the name in braces, with a description of each. */
export const placeholders = {
  name: "the learner's full name",
  context_name: "the name of the course or learning path",
  category: "the category of the learning path, or else learning path or course in the document's language",
  issue_date: "the day of issue",
  award_date: "the day on which it was first issued, which a reissue keeps",
  valid_until: "the last day of its validity",
  verify_uuid: "the verification UUID",
  verify_url: "the address of its verification page",
  verify_short_url: "the same to be typed, without https://",
  credential_type: "the name of the credential type",
  title: "the option titles in the document's language, or else the credential type",
  platform_name: "the issuer's name",
  issuer_name: "the issuer's name over its pages and mails, or else as {platform_name}",
  issuer_contact: "where the issuer answers questions",
  issuer_imprint: "the address of the issuer's legal notice, without https://",
  grade: "the total in the course, such as 92.35%",
  "grade.<assignment type>": "the result of an assignment type, such as {grade.final}",
  letter_grade: "the letter grade in the course, such as B+",
  passed: "whether the course is passed: Passed, or Not passed",
  completion: "how much of the course was completed, such as 95%",
  steps: "the number of courses in the learning path",
  hours: "the option hours",
  credits: "the option credits",
  learner_id: "the learner_id of the learner's record",
  signatory_name: "the name of the option signatory",
  signatory_title: "the title of the option signatory",
  "learner.<key>": "an attribute of the learner's record, such as {learner.programme}",
  "enrollment.<key>": "an attribute of the enrolment's record",
  "words.<phrase>": `a phrase in the document's language: ${phraseNames.join(", ")}`,
  "second.<phrase>":
    "the same in the option second_language, and {second.title}, {second.issue_date}; nothing without that option",
} as const;

/** A parsed placeholder. */
export type Placeholder =
  | { readonly kind: "fact"; readonly name: FactName }
  | { readonly kind: "grade" | "learner" | "enrollment"; readonly key: string }
  | { readonly kind: "words"; readonly key: PhraseName }
  | { readonly kind: "second"; readonly key: SecondName };

export type FactName = Exclude<keyof typeof placeholders, `${string}.<${string}>`>;

/** Returns the value of a placeholder; empty if it has none. */
export type WordsOf = (placeholder: Placeholder) => string;

/** Facts that the option `facts` can list, besides results and attributes. */
export const listableFacts: readonly string[] = [
  "grade",
  "letter_grade",
  "passed",
  "completion",
  "steps",
  "hours",
  "credits",
  "learner_id",
  "award_date",
  "valid_until",
  "issuer_contact",
  "issuer_imprint",
];

const token = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g;
const separator = /( · | \| |\n)/;
const attribute = /^(learner|enrollment)\.([a-z][a-z0-9_]{0,39})$/;
const grade = /^grade\.([^{}\n]{1,255})$/;

/** Parses the text between braces; undefined if it is unknown. Assignment types are case-insensitive. */
export function readPlaceholder(name: string): Placeholder | undefined {
  if (name.includes(".")) {
    const [, group, phrase = ""] = /^(words|second)\.(.*)$/.exec(name) ?? [];
    if (group === "words" && isPhraseName(phrase)) return { kind: group, key: phrase };
    if (group === "second" && isSecondName(phrase)) return { kind: group, key: phrase };
    const [, kind, key = ""] = attribute.exec(name) ?? [];
    if (kind === "learner" || kind === "enrollment") return { kind, key };
    const type = grade.exec(name)?.[1]?.trim().toLowerCase();
    return type ? { kind: "grade", key: type } : undefined;
  }
  return Object.hasOwn(placeholders, name) ? { kind: "fact", name: name as FactName } : undefined;
}

/** Describes what is wrong with a text that contains placeholders; undefined if it is valid. */
export function placeholderProblem(template: string): string | undefined {
  for (const [found, name] of template.matchAll(token)) {
    if (found === "{{" || found === "}}" || (name !== undefined && readPlaceholder(name))) continue;
    const known = listed(Object.keys(placeholders));
    if (name === undefined) return `a single "${found}" must be doubled; placeholders are ${known}`;
    return `unknown placeholder "${found}"; known are ${known}, and {{ and }} for braces`;
  }
  return undefined;
}

/** Describes what is wrong with a name in a list of facts; undefined if it is valid. */
export function factProblem(name: string): string | undefined {
  const placeholder = readPlaceholder(name);
  const isPhrase = placeholder?.kind === "words" || placeholder?.kind === "second";
  if (placeholder && !isPhrase && (placeholder.kind !== "fact" || listableFacts.includes(name)))
    return undefined;
  const known = Object.keys(placeholders).filter(
    (each) => listableFacts.includes(each) || (each.includes("<") && !each.endsWith("<phrase>")),
  );
  return `unknown fact "${name}"; known are ${known.join(" ")}`;
}

/** Explains all placeholders, one per line. */
export const placeholderHelp = Object.entries(placeholders)
  .map(([name, meaning]) => `{${name}} ${meaning}`)
  .join("\n");

/** Returns the placeholders of a valid text. */
export function placeholdersOf(template: string): Placeholder[] {
  return [...template.matchAll(token)].flatMap(([, name]) => {
    const placeholder = name === undefined ? undefined : readPlaceholder(name);
    return placeholder ? [placeholder] : [];
  });
}

/**
 * Prepares a valid text for filling. Line breaks, ` · ` and ` | ` divide it into parts. A part with a placeholder
 * without a value is omitted together with its separator.
 * @returns a function that fills in the placeholders
 */
export function prepareFilling(template: string): (wordsOf: WordsOf) => string {
  const lines = linesOf(template);
  const [only] = lines.length === 1 && lines[0]?.length === 1 ? lines[0] : [];
  if (only) return (wordsOf) => fillPart(only, wordsOf) ?? "";
  return (wordsOf) =>
    lines
      .flatMap((parts) => {
        const filled = parts.flatMap((part) => {
          const text = fillPart(part, wordsOf);
          return text === undefined ? [] : [{ joint: part.joint, text }];
        });
        const line = filled.map(({ joint, text }, index) => (index === 0 ? text : joint + text)).join("");
        return filled.length === 0 ? [] : [line];
      })
      .join("\n");
}

interface Part {
  /** The separator between the previous part and this one. */
  readonly joint: string;
  readonly pieces: readonly (string | Placeholder)[];
}

function linesOf(template: string): Part[][] {
  const lines: Part[][] = [];
  let pieces: (string | Placeholder)[] = [];
  const begin = (joint: string) => {
    pieces = [];
    if (joint === "\n") lines.push([{ joint: "", pieces }]);
    else lines.at(-1)?.push({ joint, pieces });
  };
  const add = (text: string) => {
    text.split(separator).forEach((words, index) => {
      if (index % 2 === 1) begin(words);
      else if (words !== "") pieces.push(words);
    });
  };
  begin("\n");
  let end = 0;
  for (const match of template.matchAll(token)) {
    add(template.slice(end, match.index));
    end = match.index + match[0].length;
    const placeholder = match[1] === undefined ? undefined : readPlaceholder(match[1]);
    pieces.push(placeholder ?? match[0].charAt(0));
  }
  add(template.slice(end));
  return lines;
}

/** @returns undefined if one of its placeholders has no value */
function fillPart({ pieces }: Part, wordsOf: WordsOf): string | undefined {
  let text = "";
  for (const piece of pieces) {
    const words = typeof piece === "string" ? piece : wordsOf(piece);
    if (words === "") return undefined;
    text += words;
  }
  return text;
}

function listed(names: readonly string[]): string {
  return names.map((name) => `{${name}}`).join(" ");
}
