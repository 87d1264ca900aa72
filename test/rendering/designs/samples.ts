import { shortCodeOf } from "#domain/credentials/short-code.js";
import { designs } from "#formats/rendering/designs/list.js";
import type { CredentialFacts, LoadedAsset } from "#formats/rendering/generator.js";
import { ada } from "../ada.js";
import { asset } from "../templates.js";

const svg = (content: string, box: string) =>
  asset("svg", Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}">${content}</svg>`));

/** Pictures that belong to an invented university. */
export const pictures = new Map<string, LoadedAsset>([
  [
    "crest",
    svg(
      '<path fill="#24354f" d="M4 4 H56 V40 C56 58 42 68 30 74 C18 68 4 58 4 40 Z"/><path fill="#e8c468" d="M30 14 L34 26 H46 L36 33 L40 46 L30 38 L20 46 L24 33 L14 26 H26 Z"/>',
      "0 0 60 78",
    ),
  ],
  [
    "signature",
    svg(
      '<path fill="none" stroke="#1a2a6c" stroke-width="2.4" d="M4 40 C14 4 26 2 24 22 C22 42 12 48 16 34 C22 16 36 22 34 34 C33 44 44 36 48 28 C52 22 56 36 62 32 C70 26 74 14 80 24 C84 34 74 42 82 36 C92 28 104 26 136 22"/>',
      "0 0 140 54",
    ),
  ],
  [
    "second-signature",
    svg(
      '<path fill="none" stroke="#1b1b1b" stroke-width="2" d="M6 14 C40 -4 52 14 22 44 C10 54 8 36 30 30 C52 24 48 44 58 38 C68 30 64 20 72 32 C78 42 88 24 96 30 C106 36 118 32 128 26"/>',
      "0 0 140 54",
    ),
  ],
]);

export const signatories = [
  { name: "Prof. Dr. Ingrid Fyrberg", title: "Rector", image: "signature" },
  {
    name: "Dr. Samuel Okonkwo-Lindqvist",
    title: "Dean of Studies, Faculty of Natural Sciences",
    image: "second-signature",
  },
];

const full = {
  hours: 40,
  credits: "6 ECTS",
  facts: ["grade", "hours", "credits", "learner_id"],
  logo: "crest",
  signatories,
};

/** Options of designs: with all parts, and without all optional parts. */
export const parts: Record<string, Record<string, unknown>> = { full, bare: { facts: [] } };

const particulars = {
  grade: 92.35,
  hours: 40,
  credits: "6 ECTS",
  learner_id: "2026-0417",
  enrollment: { place: "Nordhafen Observatory", trainer: "Dr. Samuel Okonkwo-Lindqvist" },
};

const { issueDate: _, ...undated } = ada;

export const facts: CredentialFacts = {
  ...undated,
  userFullName: "Ana Kovač",
  learningContextName: "Reading the Night Sky",
  platformName: "University of Nordhafen",
  verifyShortUrl: `credentials.example.org/v/${shortCodeOf(ada.verifyUuid)}`,
  particulars,
};

/** Titles in the second languages of the bilingual designs, and in Arabic. */
export function titlesOf(name: string, text = "short"): Record<string, string> {
  const isLong = text === "two-line title";
  const english = isLong
    ? "Certificate of Advanced Studies in Observational Astronomy and Navigation"
    : "Certificate of Achievement";
  const spanish = isLong
    ? "Certificado de estudios avanzados en astronomía de observación y navegación"
    : "Certificado de aprovechamiento";
  const arabic = isLong ? "شهادة الدراسات المتقدمة في علم الفلك الرصدي والملاحة" : "شهادة إنجاز";
  if (name === "bilingual") return { es: spanish };
  return name === "arabesque" ? { ar: arabic, en: english } : {};
}

/** Texts that are difficult to lay out. */
export const texts: Record<
  string,
  { readonly facts: Partial<CredentialFacts>; readonly language?: string; readonly size?: "LETTER" }
> = {
  short: { facts: {} },
  "80 characters": {
    facts: {
      userFullName: "Wolfeschlegelsteinhausen Bergerdorff-Schwarzenberg von Hohenlohe-Langenburg zu X",
      learningContextName:
        "An Introduction to the Practical Observation of the Night Sky with Binoculars for Returning Students",
    },
  },
  "US Letter": { facts: {}, size: "LETTER" },
  arabic: {
    language: "ar",
    facts: {
      userFullName: "محمد بن موسى الخوارزمي",
      learningContextName: "قراءة سماء الليل",
      credentialType: "شهادة إنجاز",
      platformName: "جامعة نوردهافن",
    },
  },
  devanagari: {
    facts: {
      userFullName: "श्रीमती लक्ष्मी विश्वनाथन्",
      learningContextName: "रात के आकाश को पढ़ना",
      credentialType: "उपलब्धि प्रमाणपत्र",
    },
  },
  thai: {
    facts: {
      userFullName: "นางสาวกุลธิดา ศรีสุวรรณกิจเจริญ",
      learningContextName: "การอ่านท้องฟ้ายามค่ำคืน",
      credentialType: "ประกาศนียบัตรแห่งความสำเร็จ",
    },
  },
  "two-line title": {
    facts: {
      credentialType: "Certificate of Advanced Studies in Observational Astronomy and Navigation",
      learningContextName: "Reading the Night Sky\nSpring Term 2026",
    },
  },
};

export const names = Object.keys(designs) as (keyof typeof designs)[];
