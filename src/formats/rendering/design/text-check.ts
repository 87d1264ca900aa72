import { failedPrecondition } from "#foundation/errors.js";
import { codePoint } from "#foundation/text/check-text.js";
import { counted } from "#foundation/text/counted.js";
import type { CharacterRanges, CredentialFacts, Particulars, PrintedTexts } from "../generator.js";
import { type HasCharacter, uncovered } from "../text/font-coverage.js";
import { missingScriptOf } from "../text/optional-fonts.js";
import type { PdfOptions } from "./pdf-options.js";

const described = [
  ["userFullName", "the learner's full name"],
  ["learningContextName", "the learning context name"],
  ["credentialType", "the credential type"],
  ["issueDate", "the issue date"],
  ["verifyUuid", "the verification UUID"],
  ["verifyUrl", "the verification URL"],
  ["platformName", "the platform name"],
] as const;

const MAX_LISTED_CHARACTERS = 5;

/**
 * Refuses texts with characters that no font has, so that no credential is issued with a box instead of a letter.
 * @param own the institution's fonts in the design
 * @throws Problem `failed-precondition` that names the missing characters and the text that contains them
 */
export function refuseUncovered(
  facts: PrintedTexts & Partial<CredentialFacts>,
  options: PdfOptions,
  own: readonly HasCharacter[],
): void {
  for (const [field, words] of described) refuseText(facts[field], words, own);
  for (const [field, text] of textsOf(facts.particulars)) refuseText(text, field, own);
  for (const [name, label] of Object.entries(options.labels)) refuseText(label, `labels.${name}`, own);
  for (const [tag, title] of Object.entries(options.titles)) refuseText(title, `titles.${tag}`, own);
  for (const [name, text] of Object.entries(options.issuer ?? {})) refuseText(text, `issuer.${name}`, own);
  options.signatories.forEach(({ name, title }, index) => {
    refuseText(name, `signatories.${index}.name`, own);
    refuseText(title, `signatories.${index}.title`, own);
  });
  for (const [key, element] of Object.entries(options.text_elements)) {
    if (element) refuseText(element.text, `text_elements.${key}.text`, own);
  }
}

/** The names of `Particulars` whose values are free texts. */
type TextName = {
  [Name in keyof Particulars]-?: Particulars[Name] extends string | undefined ? Name : never;
}[keyof Particulars];

const describedTexts: Readonly<Record<TextName, string>> = {
  learner_id: "the learner's ID",
  letter: "the letter grade",
  category: "the category of the learning path",
  credits: "the option credits",
};

/** Returns the free texts among the particulars, by their names in error messages. */
function textsOf(particulars: Particulars = {}): (readonly [words: string, text: string | undefined])[] {
  const { learner = {}, enrollment = {}, signatory } = particulars;
  return [
    ...Object.entries(describedTexts).map(([name, words]) => [words, particulars[name as TextName]] as const),
    ...Object.entries(learner).map(([key, text]) => [`the learner's attribute ${key}`, text] as const),
    ...Object.entries(enrollment).map(([key, text]) => [`the enrolment's attribute ${key}`, text] as const),
    ["the option signatory.name", signatory?.name],
    ["the option signatory.title", signatory?.title],
  ];
}

export function hasCharacterIn(ranges: CharacterRanges): HasCharacter {
  return (codePoint) => {
    let low = 0;
    let high = ranges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ranges[middle]?.[1] ?? 0) < codePoint) low = middle + 1;
      else high = middle;
    }
    const first = ranges[low]?.[0];
    return first !== undefined && first <= codePoint;
  };
}

function refuseText(text: string | undefined, words: string, own: readonly HasCharacter[]): void {
  const missing = text === undefined ? [] : uncovered(text, own);
  if (missing.length === 0) return;
  const listed = missing
    .slice(0, MAX_LISTED_CHARACTERS)
    .map((character) => `"${character}" (${codePoint(character)})`);
  const others = missing.length - MAX_LISTED_CHARACTERS;
  const more = others > 0 ? ` and ${counted(others, "more character")}` : "";
  throw failedPrecondition(
    `No font can print ${listed.join(", ")}${more}, which ${words} contains. ${remedyFor(missing)}`,
    { reason: "NOT_PRINTABLE" },
  );
}

function remedyFor(missing: readonly string[]): string {
  const isOptional = missing.every((character) => missingScriptOf(character) !== undefined);
  const upload = `pload a font that contains ${missing.length === 1 ? "it" : "them"}, and name the font in the options.`;
  return isOptional
    ? `Run \`npm run fonts\` where the service is installed, and restart it, or u${upload}`
    : `U${upload}`;
}
