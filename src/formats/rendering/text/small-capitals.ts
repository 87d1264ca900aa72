import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";

/** Shapes a text with OpenType features, and returns the numbers of its glyphs. */
type ShapeGlyphs = (text: string, features: readonly string[], language: string) => readonly number[];

interface SmallCapitals {
  /** The text to shape. The features turn it into small capitals. It has as many code points as the original. */
  readonly text: string;
  /** OpenType features. `tag[start:end]` applies a feature to that part of the text, in UTF-16 code units. */
  readonly features: readonly string[];
}

/** How to obtain the small capital of a letter. */
interface Form {
  /** The code point to shape instead of the letter. */
  readonly letter: string;
  /** Feature that is needed in addition to `smcp`. */
  readonly feature?: "-locl" | "c2sc";
}

const lowerCase = /\p{Ll}/u;

/** Languages that distinguish ı and i. ICU doesn't know all of them. */
const dottedI = /^(?:tr|az|crh|gag|kk|tt|ba)\b/i;

/**
 * Finds the small capitals of a font. `smcp` alone isn't enough: in some fonts, `locl` replaces a letter by a
 * language-specific form that `smcp` doesn't know, for example the German f and the Turkish i of EB Garamond.
 */
export function createSmallCapitals(shape: ShapeGlyphs) {
  const forms = createBoundedCache<Form | null>(2000);

  function formOf(letter: string, language: string): Form | null {
    if (!lowerCase.test(letter)) return { letter };
    return forms(`${language} ${letter}`, () => findForm(letter, language, shape));
  }

  return {
    /** Returns whether the font has a small capital for a letter. Returns true if it isn't a lower-case letter. */
    has: (letter: string, language: string) => formOf(letter, language) !== null,
    /** Prepares a text for shaping. Letters without a small capital are unchanged. */
    prepare(text: string, language: string): SmallCapitals {
      let prepared = "";
      const features = ["smcp"];
      for (const each of text) {
        const { letter, feature } = formOf(each, language) ?? { letter: each };
        const start = prepared.length;
        prepared += letter;
        if (feature !== undefined) features.push(`${feature}[${start}:${prepared.length}]`);
      }
      return { text: prepared, features };
    },
  };
}

function findForm(letter: string, language: string, shape: ShapeGlyphs): Form | null {
  const shaped = (text: string, features: readonly string[]) => shape(text, features, language).join();
  const changes = (text: string, ...features: readonly string[]) =>
    shaped(text, features) !== shaped(text, features.slice(0, -1));
  if (letter === "i" && dottedI.test(language)) {
    if (changes("İ", "c2sc")) return { letter: "İ", feature: "c2sc" };
    // If the font has no Turkish form of the letter, `smcp` would turn it into an ı.
    return changes(letter, "smcp") && changes(letter, "smcp", "-locl") ? { letter } : null;
  }
  if (changes(letter, "smcp")) return { letter };
  if (changes(letter, "-locl", "smcp")) return { letter, feature: "-locl" };
  const capital = letter.toLocaleUpperCase(language);
  return [...capital].length === 1 && changes(capital, "c2sc") ? { letter: capital, feature: "c2sc" } : null;
}
