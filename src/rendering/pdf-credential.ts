import PDFDocument from "pdfkit";
import { z } from "zod";
import { invalid, Problem } from "../errors.js";
import { drawBuiltInDesign } from "./built-in-design.js";
import { uncovered } from "./font-coverage.js";
import type { CredentialFacts, Generator } from "./generator.js";

const color = z
  .string()
  .regex(
    /^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/,
    "must be a colour of three or six hex digits, such as #8a6d2f",
  );

const optionsSchema = z.strictObject({
  page: z
    .strictObject({ size: z.enum(["A4", "LETTER"]).default("A4").describe("Paper size; always landscape") })
    .prefault({}),
  defaults: z.strictObject({ color: color.default("#1b2432").describe("Colour of the text") }).prefault({}),
  accent_color: color.default("#1f4a5f").describe("Colour of the frame, the seal and the name of the issuer"),
});

const printed = {
  userFullName: "the learner's full name",
  learningContextName: "the learning context name",
  credentialType: "the credential type",
  issueDate: "the issue date",
  verifyUuid: "the verification UUID",
  verifyUrl: "the verification URL",
  platformName: "the platform name",
} as const satisfies Partial<Record<keyof CredentialFacts, string>>;

/** The generator that ships with the service: one landscape page in the built-in design. */
export const pdfCredentialGenerator: Generator = {
  name: "learning_credentials.generators.generate_pdf_credential",
  summary: "A one-page PDF in the built-in design, with a QR code of its verification URL.",
  options: optionsSchema,
  render: renderPdfCredential,
};

async function renderPdfCredential(
  facts: CredentialFacts,
  options: Record<string, unknown>,
): Promise<Uint8Array> {
  const { page, defaults, accent_color } = parseOptions(options);
  refuseUncovered(facts);
  const doc = createDocument(facts, page.size);
  const bytes = collect(doc);
  drawBuiltInDesign(doc, facts, { color: defaults.color, accentColor: accent_color });
  doc.end();
  return bytes;
}

function parseOptions(options: Record<string, unknown>): z.output<typeof optionsSchema> {
  const result = optionsSchema.safeParse(options);
  if (!result.success)
    throw invalid(`The options are not valid:\n${z.prettifyError(result.error)}`, result.error);
  return result.data;
}

/** A box in place of a letter would make a credential wrong without anyone noticing. */
function refuseUncovered(facts: CredentialFacts): void {
  for (const [field, words] of Object.entries(printed)) {
    const missing = uncovered(facts[field as keyof typeof printed]);
    if (missing.length === 0) continue;
    const listed = missing.map((character) => `"${character}" (${codePoint(character)})`).join(", ");
    throw new Problem("failed-precondition", `No font can print ${listed}, which ${words} contains.`);
  }
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

function createDocument(facts: CredentialFacts, size: "A4" | "LETTER"): PDFKit.PDFDocument {
  return new PDFDocument({
    size,
    layout: "landscape",
    margin: 0,
    font: "", // else pdfkit loads Helvetica, which is never used
    pdfVersion: "1.7",
    tagged: true,
    displayTitle: true,
    lang: facts.language,
    info: {
      Title: `${facts.credentialType} – ${facts.userFullName}`,
      Subject: facts.learningContextName,
      Keywords: facts.verifyUrl,
      Creator: "Learning Credentials Service",
      CreationDate: facts.created,
    },
  });
}

function collect(doc: PDFKit.PDFDocument): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    doc.on("data", (chunk: Buffer) => chunks.push(chunk));
    doc.on("end", () => resolve(Buffer.concat(chunks)));
    doc.on("error", reject);
  });
}
