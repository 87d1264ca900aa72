import { z } from "zod";
import { invalid, Problem } from "../errors.js";
import { compileDesign, type Design, issueDateOf } from "./design.js";
import { uncovered } from "./font-coverage.js";
import type { Assets, CredentialFacts, Generator, RenderMode } from "./generator.js";
import { assetsOfOptions } from "./institution-assets.js";
import { createMemo } from "./memo.js";
import { type PdfOptions, pdfOptions } from "./pdf-options.js";
import type { PlaceholderName } from "./placeholders.js";
import { missingOfTextElements } from "./text-elements.js";

/** The generator that ships with the service: one page, in the built-in design or on an institution's template. */
export const pdfCredentialGenerator: Generator = {
  name: "learning_credentials.generators.generate_pdf_credential",
  summary: "A one-page PDF in the built-in design or on a template, with a QR code of its verification URL.",
  options: pdfOptions,
  checkOptions: (options) => checkPdfOptions(parseOptions(options)),
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
  refuseUncovered(facts, options, context.language);
  const versions = [...assets].map(([slug, { sha256 }]) => [slug, sha256]);
  const key = JSON.stringify([written, versions, context]);
  const design = await designs(key, () => compileDesign(options, assets, context));
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

const described: Readonly<Record<PlaceholderName, string>> = {
  name: "the learner's full name",
  context_name: "the learning context name",
  credential_type: "the credential type",
  issue_date: "the issue date",
  verify_uuid: "the verification UUID",
  verify_url: "the verification URL",
  platform_name: "the platform name",
};

/** A box in place of a letter would make a credential wrong without anyone noticing. */
function refuseUncovered(facts: CredentialFacts, options: PdfOptions, language: string): void {
  const texts: [string, string][] = [
    [facts.userFullName, described.name],
    [facts.learningContextName, described.context_name],
    [facts.credentialType, described.credential_type],
    [issueDateOf(facts, language), described.issue_date],
    [facts.verifyUuid, described.verify_uuid],
    [facts.verifyUrl, described.verify_url],
    [facts.platformName, described.platform_name],
  ];
  for (const [key, element] of Object.entries(options.text_elements)) {
    if (element && element.text !== undefined) texts.push([element.text, `text_elements.${key}.text`]);
  }
  for (const [text, words] of texts) {
    const missing = uncovered(text);
    if (missing.length === 0) continue;
    const listed = missing.map((character) => `"${character}" (${codePoint(character)})`).join(", ");
    throw new Problem("failed-precondition", `No font can print ${listed}, which ${words} contains.`);
  }
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
