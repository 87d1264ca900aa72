import { z } from "zod";
import { invalid, Problem } from "../errors.js";
import { createMemo } from "../memo.js";
import { assetsOfOptions } from "./assets-of-options.js";
import type { Design } from "./design.js";
import { uncovered } from "./font-coverage.js";
import type { Assets, CredentialFacts, Generator, PrintedTexts, RenderMode } from "./generator.js";
import { issueDateOf } from "./issue-date.js";
import { type PdfOptions, pdfOptions } from "./pdf-options.js";
import { missingOfTextElements } from "./text-elements.js";

/** The generator that ships with the service: one page, in the built-in design or on an institution's template. */
export const pdfCredentialGenerator: Generator = {
  name: "learning_credentials.generators.generate_pdf_credential",
  summary: "A one-page PDF in the built-in design or on a template, with a QR code of its verification URL.",
  options: pdfOptions,
  checkOptions: (options) => checkPdfOptions(parseOptions(options)),
  checkTexts: (texts, options) => refuseUncovered(texts, parseOptions(options)),
  assetsOf: (options) => assetsOfOptions(parseOptions(options)),
  render: renderPdfCredential,
};

const noAssets: Assets = new Map();
const designs = createMemo<Promise<Design>>(50);
const parsed = createMemo<PdfOptions>(50);

async function renderPdfCredential(
  facts: CredentialFacts,
  given: Record<string, unknown>,
  assets: Assets = noAssets,
  mode: RenderMode = {},
): Promise<Uint8Array> {
  const written = JSON.stringify(given);
  const options = parsed(written, () => {
    const valid = parseOptions(given);
    checkPdfOptions(valid);
    return valid;
  });
  const context = {
    language: options.language ?? facts.language,
    settings: facts.settings,
    multiline: /[\r\n]/.test(facts.learningContextName.trim()),
  };
  refuseUncovered({ ...facts, issueDate: issueDateOf(facts, context.language) }, options);
  const versions = [...assets].map(([slug, { sha256 }]) => [slug, sha256]);
  const key = JSON.stringify([written, versions, context]);
  const design = await designs(key, async () => {
    // The libraries that it draws with take a third of a second to load: only the threads that render wait for them.
    const { compileDesign } = await import("./design.js");
    return compileDesign(options, assets, context);
  });
  return design.render(facts, mode);
}

function parseOptions(options: Record<string, unknown>): PdfOptions {
  const result = pdfOptions.safeParse(options);
  if (!result.success)
    throw invalid(`The options are not valid:\n${z.prettifyError(result.error)}`, result.error);
  return result.data;
}

function checkPdfOptions(options: PdfOptions): void {
  const missing = missingOfTextElements(options);
  if (missing.length > 0) {
    throw invalid(`${missing.join(" and ")} must be given: a text element of your own needs a text and a y.`);
  }
  if (options.encrypt && options.pdf_a) {
    throw invalid("encrypt and pdf_a exclude each other: PDF/A forbids encryption. Leave one of them out.");
  }
}

const described = [
  ["userFullName", "the learner's full name"],
  ["learningContextName", "the learning context name"],
  ["credentialType", "the credential type"],
  ["issueDate", "the issue date"],
  ["verifyUuid", "the verification UUID"],
  ["verifyUrl", "the verification URL"],
  ["platformName", "the platform name"],
] as const;

/** A box in place of a letter would make a credential wrong without anyone noticing. */
function refuseUncovered(facts: PrintedTexts & Partial<CredentialFacts>, options: PdfOptions): void {
  for (const [field, words] of described) refuseText(facts[field], words);
  for (const [key, element] of Object.entries(options.text_elements)) {
    if (element) refuseText(element.text, `text_elements.${key}.text`);
  }
}

function refuseText(text: string | undefined, words: string): void {
  const missing = text === undefined ? [] : uncovered(text);
  if (missing.length === 0) return;
  const listed = missing.map((character) => `"${character}" (${codePoint(character)})`).join(", ");
  throw new Problem("failed-precondition", `No font can print ${listed}, which ${words} contains.`);
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
