import { type CredentialFacts, editionOf } from "../generator.js";
import { isFontFamily } from "../text/font-families.js";
import { scriptOf } from "../text/script-of.js";
import { documentLanguage } from "./document-language.js";
import { fontOf } from "./institution-assets.js";
import { pdfOptions } from "./pdf-options.js";
import { phrasesIn } from "./phrases.js";
import { placeholdersOf, prepareFilling } from "./placeholders.js";
import { printedValues } from "./printed-values.js";
import { resolveTextElements } from "./text-elements.js";
import { capitals } from "./text-words.js";

/** Ordinary letters in a text that is otherwise set in small capitals. */
interface MixedSmallCapitals {
  /** BCP 47 tag. */
  readonly language: string;
  /** Path of the option, for example `text_elements.title`. */
  readonly option: string;
  readonly letters: readonly string[];
}

/**
 * Finds texts of first-edition documents that mix small capitals and ordinary letters ("ZERTIfIKAT"), without rendering
 * the documents. Later editions never mix them. Ignores options of other generators and texts in uploaded fonts.
 */
export function findMixedSmallCapitals(
  facts: CredentialFacts,
  rawOptions: Record<string, unknown>,
): MixedSmallCapitals[] {
  const edition = editionOf(facts.settings);
  const parsed = pdfOptions.strip().safeParse(rawOptions);
  if (edition > 1 || !parsed.success) return [];
  const options = parsed.data;
  const language = documentLanguage(
    options.language ?? facts.language,
    options.template !== undefined,
    edition,
  );
  const phrases = phrasesIn(options, language, edition);
  const wordsOf = printedValues(facts, language.tag, phrases);
  return resolveTextElements(options, facts.settings).flatMap(({ key, text, font, smallCaps, uppercase }) => {
    if (!smallCaps || (font !== undefined && !isFontFamily(font))) return [];
    const isSecond = placeholdersOf(text).some(({ kind }) => kind === "second");
    const forms = (isSecond ? phrases.second?.words.tag : undefined) ?? language.forms;
    const filled = prepareFilling(text)(wordsOf);
    const letters = ordinaryAmongSmall(uppercase ? capitals(filled, language.tag) : filled, font, forms);
    return letters.length === 0 ? [] : [{ language: forms, option: `text_elements.${key}`, letters }];
  });
}

function ordinaryAmongSmall(text: string, family: string | undefined, language: string): string[] {
  const [face] = fontOf(family, new Map());
  const letters = [...new Set(text.match(/\p{Ll}/gu))].filter((letter) =>
    face?.font.hasGlyphFor(letter.codePointAt(0) ?? 0),
  );
  const glyphs = (letter: string, features: readonly string[]) =>
    String(face?.font.layout(letter, features, language).glyphs.map(({ id }) => id));
  const isSmall = (letter: string) => glyphs(letter, ["smcp"]) !== glyphs(letter, []);
  const scripts = new Set(letters.filter(isSmall).map(scriptOf));
  return letters.filter((letter) => !isSmall(letter) && scripts.has(scriptOf(letter))).sort();
}
