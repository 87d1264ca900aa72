import type { CredentialFacts } from "#formats/rendering/generator.js";
import { ada } from "./ada.js";
/** The designs as they were when the hashes were taken. Types keep their copies, even if a design changes. */
import designs from "./frozen-designs.json" with { type: "json" };

/** A document whose content must never change. Its name is the key in `frozen.json`. */
export interface FrozenCase {
  readonly name: string;
  readonly facts: CredentialFacts;
  readonly options: Record<string, unknown>;
}

const learners: Record<string, readonly [name: string, context: string]> = {
  en: ["Ada Lovelace", "Foundations of Data Science"],
  de: ["Jürgen Weiß", "Grundlagen der Ökologie"],
  fr: ["Zoé Lefèvre", "Éléments d’œuvre"],
  es: ["Íñigo Muñoz", "Introducción a la Química"],
  it: ["Nicolò Dell’Aquila", "Fondamenti di Fisica"],
  pt: ["João Gonçalves", "Introdução à Lógica"],
  uk: ["Олена Ґудзь", "Основи їстівних рослин"],
  ar: ["محمد بن موسى", "أساسيات علم البيانات"],
};
const longName = " Wolfeschlegelsteinhausen Bergerdorff-Schwarzenberg von Hohenlohe-Langenburg zu X";
const unbroken = "Wolfeschlegelsteinhausenbergerdorff".repeat(7);

const signatory = { name: "Grace Hopper", title: "Dean of the Faculty" };
const particulars = {
  grade: 93.25,
  letter: "A",
  passed: true,
  completion: 90,
  hours: 12,
  credits: "3 ECTS",
  learner_id: "77-X",
  steps: 3,
  signatory,
};
const eight = ["grade", "letter_grade", "passed", "completion", "hours", "credits", "learner_id", "steps"];

const pages = {
  "A4 landscape": {},
  "A4 portrait": { orientation: "portrait" },
  "Letter landscape": { size: "LETTER" },
  "Letter portrait": { size: "LETTER", orientation: "portrait" },
};

const shapes = [
  { kind: "line", x: 100, y: 100, width: 200 },
  { kind: "rosette", x: 300, y: 300, width: 90, height: 90 },
];
const seal = { x: 50, y: 400, size: 80, look: "ring" };
const note = { text: "{title} {words.verify_at} {verify_short_url}", y: 90, size: 9 };

/** Options of the built-in design that change its layout. */
const variants: Record<string, Record<string, unknown>> = {
  plain: {},
  "no facts": { facts: [] },
  "eight facts": { facts: eight, hours: 12, credits: "3 ECTS", labels: { grade: "Overall mark" } },
  signatory: { signatory, facts: ["hours"], hours: 12 },
  "no name": { text_elements: { name: false } },
  "no context": { text_elements: { context: false } },
  "no date": { text_elements: { date: false } },
  "no texts": { text_elements: { name: false, context: false, date: false } },
  "award date": { text_elements: { date: { text: "{award_date}" } } },
  "date on the left": { text_elements: { date: { align: "left", x: 80 } } },
  "date elsewhere": { text_elements: { date: { x: 300, y: 150, size: 16 } } },
  "name elsewhere": { text_elements: { name: { y: 400, size: 60, uppercase: true } } },
  "name on the left": { text_elements: { name: { align: "left", x: 100 }, context: { y: 200 } } },
  "name close to context": { text_elements: { name: { y: 300 }, context: { y: 282, size: 10 } } },
  "context above name": { text_elements: { context: { y: 400 } } },
  defaults: { defaults: { color: "#246", font: "Playfair Display", line_height: 1.4, char_space: 1 } },
  "coloured ink": { defaults: { color: "#7a1f2b" }, accent_color: "#7a1f2b" },
  "no QR code": { qr: false },
  "QR code elsewhere": { qr: { x: 100, y: 300, size: 60, color: "#7a1f2b", background: "#fff" } },
  "own texts": { text_elements: { note }, titles: { en: "Award" } },
  "shapes and seal": { shapes, places: { seal } },
  "wreath seal": { places: { seal: { ...seal, look: "wreath" } } },
  "second language": {
    second_language: "fr",
    text_elements: { second: { text: "{second.awarded_to}", y: 250 } },
  },
};

const printed = { nameUppercase: false, dateUppercase: false, dateCharSpace: 0, timeZone: "UTC" };
const capitals = { ...printed, nameUppercase: true, dateUppercase: true, dateCharSpace: 1.5 };
const settingsOf = (edition: number, style = printed) => (edition === 1 ? style : { ...style, edition });

function factsOf(language: string, more: Partial<CredentialFacts> = {}): CredentialFacts {
  const [userFullName, learningContextName] = learners[language] ?? ["", ""];
  const awarded = new Date("2025-01-15T10:30:00Z");
  return { ...ada, userFullName, learningContextName, particulars, awarded, language, ...more };
}

const inLanguages = Object.entries(learners).flatMap(([language, [name, context]]) =>
  [1, 2].flatMap((edition) =>
    Object.entries(pages).map(([size, page]): FrozenCase => {
      const isLong = size.startsWith("A4") === (edition === 1);
      const long = { userFullName: name + longName, learningContextName: `${context}\n${context} II\n2026` };
      const settings = settingsOf(edition, isLong ? printed : capitals);
      return {
        name: `built-in, ${language}, edition ${edition}, ${size}`,
        facts: factsOf(language, { settings, ...(isLong && long) }),
        options: { page, signatory, facts: ["grade", "hours"], hours: 12 },
      };
    }),
  ),
);

const withOptions = Object.entries(variants).flatMap(([variant, options]) =>
  ["en", "ar"].map(
    (language, index): FrozenCase => ({
      name: `built-in, ${variant}, ${language}`,
      facts: factsOf(language, { settings: settingsOf(1 + index) }),
      options: { ...options, ...(index === 1 && { page: { orientation: "portrait" } }) },
    }),
  ),
);

const overlong: FrozenCase = {
  name: "built-in, names that must be broken",
  facts: factsOf("en", {
    userFullName: unbroken,
    learningContextName: unbroken,
    credentialType: `Certificate of ${"Extraordinary ".repeat(6)}Achievement`,
    platformName: "University of Applied Sciences ".repeat(4),
    settings: settingsOf(1),
  }),
  options: { signatory: { name: unbroken.slice(0, 90), title: unbroken.slice(0, 120) } },
};

const inGallery = Object.entries(designs).flatMap(([design, options]) =>
  ["en", "ar"].map(
    (language, index): FrozenCase => ({
      name: `${design}, ${language}`,
      facts: factsOf(language, { settings: settingsOf(2 - index) }),
      options: {
        ...options,
        facts: ["grade", "hours"],
        hours: 12,
        language,
        signatories: [signatory],
        ...(index === 1 && { page: { ...("page" in options && options.page), size: "LETTER" } }),
      },
    }),
  ),
);

export const frozenCases: readonly FrozenCase[] = [...inLanguages, ...withOptions, overlong, ...inGallery];
