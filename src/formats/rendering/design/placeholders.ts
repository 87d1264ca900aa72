import { help } from "#foundation/languages/option-help.js";
import { isPhraseName, isSecondName, type PhraseName, phraseNames, type SecondName } from "./phrases.js";

/** Facts that the option `facts` may list, besides results and attributes. */
export const listableFacts = [
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
] as const;

/** All facts that the option `facts` may list. */
export const knownFacts = [
  ...listableFacts,
  "grade.<assignment type>",
  "learner.<key>",
  "enrollment.<key>",
] as const;

const placeholderNames = [
  "name",
  "context_name",
  "category",
  "issue_date",
  "verify_uuid",
  "verify_url",
  "verify_short_url",
  "credential_type",
  "title",
  "platform_name",
  "issuer_name",
  "signatory_name",
  "signatory_title",
  ...knownFacts,
  "words.<phrase>",
  "second.<phrase>",
] as const;

export const placeholders: readonly string[] = placeholderNames.map((name) => `{${name}}`);

export type Placeholder =
  | { readonly kind: "fact"; readonly name: FactName }
  | { readonly kind: "grade" | "learner" | "enrollment"; readonly key: string }
  | { readonly kind: "words"; readonly key: PhraseName }
  | { readonly kind: "second"; readonly key: SecondName };

export type FactName = Exclude<(typeof placeholderNames)[number], `${string}.<${string}>`>;

/** Returns the text that a placeholder prints; empty if the placeholder has no value. */
export type WordsOf = (placeholder: Placeholder) => string;

const token = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g;
const separator = /( · | \| |\n)/;
const attribute = /^(learner|enrollment)\.([a-z][a-z0-9_]{0,39})$/;
const grade = /^grade\.([^{}\n]{1,255})$/;

/**
 * Parses the text between braces. Returns undefined for an unknown placeholder. Assignment types may be in upper or
 * lower case.
 */
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
  return isFactName(name) ? { kind: "fact", name } : undefined;
}

function isFactName(name: string): name is FactName {
  return (placeholderNames as readonly string[]).includes(name) && !name.includes("<");
}

/** Returns a description of the error in a text with placeholders; undefined if the text is valid. */
export function placeholderProblem(template: string): string | undefined {
  for (const [found, name] of template.matchAll(token)) {
    if (found === "{{" || found === "}}" || (name !== undefined && readPlaceholder(name))) continue;
    const allowed = placeholders.join(" ");
    if (name === undefined) return `a single "${found}" must be doubled; placeholders are ${allowed}`;
    return `unknown placeholder "${found}": use ${allowed}, or {{ and }} for braces`;
  }
  return undefined;
}

/** Returns a description of the error in a name from a list of facts; undefined if the name is valid. */
export function factProblem(name: string): string | undefined {
  const placeholder = readPlaceholder(name);
  const isPhrase = placeholder?.kind === "words" || placeholder?.kind === "second";
  if (
    placeholder &&
    !isPhrase &&
    (placeholder.kind !== "fact" || (listableFacts as readonly string[]).includes(name))
  )
    return undefined;
  return `unknown fact "${name}": use ${knownFacts.join(" ")}`;
}

/** Explanations of all placeholders, one line each. */
export const placeholderHelps = placeholderNames.map((name) =>
  name === "words.<phrase>"
    ? help(`placeholders.${name}`, { phrases: phraseNames.join(", ") })
    : help(`placeholders.${name}`),
);

export function placeholdersOf(template: string): Placeholder[] {
  return [...template.matchAll(token)].flatMap(([, name]) => {
    const placeholder = name === undefined ? undefined : readPlaceholder(name);
    return placeholder ? [placeholder] : [];
  });
}

/**
 * Prepares a valid text for filling. Line breaks, ` · ` and ` | ` divide it into parts. A part is left out together
 * with its separator if a placeholder in it has no value.
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
  /** Separator before this part. */
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

/** @returns undefined if a placeholder in the part has no value */
function fillPart({ pieces }: Part, wordsOf: WordsOf): string | undefined {
  let text = "";
  for (const piece of pieces) {
    const words = typeof piece === "string" ? piece : wordsOf(piece);
    if (words === "") return undefined;
    text += words;
  }
  return text;
}
