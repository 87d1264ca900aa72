import type { Language } from "#foundation/languages/languages.js";
import type { PdfOptions } from "./pdf-options.js";
import { type Placeholder, readPlaceholder, type WordsOf } from "./placeholders.js";
import { listedValue } from "./printed-values.js";

export interface PrintedFact {
  readonly value: string;
  readonly words: string;
  /** The label in the second language, if both labels are the design's own words. */
  readonly second: string | undefined;
  /** True if the label is one of the design's own words, and therefore in the design's language. */
  readonly isOurs: boolean;
}

interface Listing extends Pick<PdfOptions, "facts" | "labels"> {
  readonly wording: Language<"document">;
  /** The second language, if labels are printed in it, too. */
  readonly second?: Language<"document"> | undefined;
  readonly language: string;
  readonly wordsOf: WordsOf;
}

/** Returns the listed facts that have a value. */
export function layFacts({ facts, labels, wording, second, language, wordsOf }: Listing): PrintedFact[] {
  return facts.flatMap((name) => {
    const placeholder = readPlaceholder(name);
    const value = placeholder ? listedValue(placeholder, wordsOf) : "";
    if (!placeholder || value === "") return [];
    const own = Object.hasOwn(labels, name) ? labels[name] : undefined;
    const ours = own === undefined ? defaultLabel(placeholder, wording) : undefined;
    const words = own ?? ours ?? worded(placeholder, language);
    const other = ours !== undefined && second ? defaultLabel(placeholder, second) : undefined;
    return [{ value, words, second: other, isOurs: ours !== undefined }];
  });
}

function defaultLabel(placeholder: Placeholder, wording: Language<"document">): string | undefined {
  if (placeholder.kind !== "fact") return undefined;
  const {
    grade,
    letterGrade,
    result,
    completion,
    steps,
    hours,
    credits,
    learnerId,
    dateOfAward,
    validUntil,
    contact,
    imprint,
  } = wording;
  const ours: Partial<Record<typeof placeholder.name, string>> = {
    grade,
    letter_grade: letterGrade,
    passed: result,
    completion,
    steps,
    hours,
    credits,
    learner_id: learnerId,
    award_date: dateOfAward,
    valid_until: validUntil,
    issuer_contact: contact,
    issuer_imprint: imprint,
  };
  return ours[placeholder.name];
}

/** Returns readable words for an assignment type or an attribute key. */
function worded(placeholder: Placeholder, language: string): string {
  const words = (placeholder.kind === "fact" ? placeholder.name : placeholder.key).replaceAll("_", " ");
  const [first = ""] = words;
  return first.toLocaleUpperCase(language) + words.slice(first.length);
}

/** Arranges items in rows. Each item gets the number of items in its row, and its column counted from the left. */
export function inRows<T extends object>(items: readonly T[], inRow: number, begins: 1 | -1) {
  return items.map((item, index) => {
    const row = Math.floor(index / inRow);
    const count = Math.min(inRow, items.length - row * inRow);
    const column = begins === 1 ? index % inRow : count - 1 - (index % inRow);
    return { ...item, row, count, column };
  });
}
