import { z } from "zod";
import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";
import { invalid } from "#foundation/errors.js";
import type { Assets, CharacterRanges, CredentialFacts, Generator, TextCheck } from "../generator.js";
import { contrast } from "../pdf/color.js";
import { assetsOfOptions } from "./assets-of-options.js";
import type { Design } from "./design.js";
import { refuseUnspoken } from "./document-language.js";
import { paletteOf } from "./palette.js";
import { type PdfOptions, pdfOptions } from "./pdf-options.js";
import { missingOfTextElements } from "./text-elements.js";
import { usedParticulars } from "./used-particulars.js";
import { withoutHidden } from "./without-hidden.js";

export const pdfCredentialGenerator: Generator = {
  name: "learning_credentials.generators.generate_pdf_credential",
  summary: "A one-page PDF in the built-in design or on a template, with a QR code of its verification URL.",
  options: pdfOptions,
  carriesBadge: true,
  carriesSeal: true,
  checkOptions(rawOptions) {
    const options = parseOptions(rawOptions);
    checkPdfOptions(options);
    refuseUnreadableQr(options);
    // Languages are checked only when options are saved. If stored options request an unavailable language, documents
    // are in English.
    refuseUnspoken(options.language, options.template !== undefined);
    refuseUnspoken(options.second_language, false, "second_language");
  },
  textCheck: preparePdfTextCheck,
  particularsOf: (options) => usedParticulars(parseOptions(options)),
  brandOptions({ accentColor, logo, name, contact, imprintUrl }, options) {
    const accent = { accent_color: accentColor };
    const stated = Object.entries({ name, contact, imprint: imprintUrl }).filter(([, text]) => text !== "");
    const has = {
      accent: accentColor !== "" && isQrReadable({ ...accent, ...options }),
      logo: logo !== "" && (options.template === undefined || options.places !== undefined),
      issuer: stated.length > 0 && printsIssuer(options),
    };
    return {
      ...(has.accent && accent),
      ...(has.logo && { logo }),
      ...(has.issuer && { issuer: Object.fromEntries(stated) }),
    };
  },
  // Includes the assets of hidden elements, because these elements can be shown again.
  assetsOf: (options) => assetsOfOptions(readOptions(options)),
  async render(facts, options, assets = noAssets, mode = {}) {
    return (await designOf(facts, options, assets)).render(facts, mode);
  },
  async preview(facts, options, assets, mode) {
    return (await designOf(facts, options, assets, mode.lenient)).preview(facts, mode);
  },
};

const noAssets: Assets = new Map();
const designs = createBoundedCache<Promise<Design>>(50);
const parsed = createBoundedCache<PdfOptions>(50);

async function designOf(
  facts: CredentialFacts,
  rawOptions: Record<string, unknown>,
  assets: Assets,
  lenient = false,
): Promise<Design> {
  const written = JSON.stringify(rawOptions);
  const options = parsed(written, () => {
    const valid = parseOptions(rawOptions);
    checkPdfOptions(valid);
    return valid;
  });
  const context = {
    language: options.language ?? facts.language,
    settings: facts.settings,
    multiline: /[\r\n]/.test(facts.learningContextName.trim()),
    platformName: facts.platformName,
    ...(lenient && { lenient }),
  };
  const versions = [...assets].map(([slug, { sha256 }]) => [slug, sha256]);
  const key = JSON.stringify([written, versions, context]);
  return designs(key, async () => {
    // The drawing libraries take a third of a second to load, so only rendering threads load them.
    const { compileDesign } = await import("./design.js");
    return compileDesign(options, assets, context);
  });
}

async function preparePdfTextCheck(
  rawOptions: Record<string, unknown>,
  fonts: ReadonlyMap<string, CharacterRanges>,
): Promise<TextCheck> {
  const options = parseOptions(rawOptions);
  const { hasCharacterIn, refuseUncovered } = await import("./text-check.js");
  const own = [...fonts.values()].map(hasCharacterIn);
  return (texts) => refuseUncovered(texts, options, own);
}

function parseOptions(options: Record<string, unknown>): PdfOptions {
  return withoutHidden(readOptions(options));
}

function readOptions(options: Record<string, unknown>): PdfOptions {
  const result = pdfOptions.safeParse(options);
  if (!result.success)
    throw invalid(`The options are not valid:\n${z.prettifyError(result.error)}`, result.error);
  return result.data;
}

/** Returns whether possibly invalid options print a fact about the issuer in a text or in the list of facts. */
function printsIssuer({ text_elements, facts }: Record<string, unknown>): boolean {
  return /[{"]issuer_/.test(JSON.stringify([text_elements, facts]));
}

/** Minimum contrast of QR codes. Scanners need about as much contrast as people do. */
const MIN_CONTRAST = 3;

/** Returns whether a QR code has enough contrast. Returns false for invalid options, which other checks report. */
function isQrReadable(options: Record<string, unknown>): boolean {
  try {
    refuseUnreadableQr(parseOptions(options));
    return true;
  } catch {
    return false;
  }
}

/** Refuses a QR code with too little contrast. An unknown background is assumed to be white. */
function refuseUnreadableQr(options: PdfOptions): void {
  const { qr, template, paper, defaults } = options;
  if (typeof qr !== "object" || (qr.background === false && paper === undefined)) return;
  const palette = paletteOf(options);
  const color = qr.color ?? (template === undefined ? defaults.color : undefined) ?? "#000";
  const background = qr.background || paper || "#fff";
  const found = contrast(palette(color), palette(background));
  if (found >= MIN_CONTRAST) return;
  throw invalid(
    `qr: cameras can't read ${color} on ${background}: the code must be darker than its background, with a contrast of at least ${MIN_CONTRAST} instead of ${found.toFixed(1)}.`,
  );
}

function checkPdfOptions(options: PdfOptions): void {
  const missing = missingOfTextElements(options);
  if (missing.length > 0) {
    throw invalid(`${missing.join(" and ")} must be set: a text element that you add needs text and y.`);
  }
  if (options.paper !== undefined && options.template !== undefined) {
    throw invalid(
      "paper and template can't be combined, because both define the page to print on. Remove one of them.",
    );
  }
  for (const [option, block] of blocksNamed(options)) {
    if (block === undefined || Object.hasOwn(options.blocks, block)) continue;
    const blockNames = Object.keys(options.blocks).join(", ");
    throw invalid(`${option} is "${block}", which is not in the option blocks (${blockNames || "empty"}).`);
  }
  for (const [index, { kind, path }] of options.shapes.entries()) {
    if ((kind === "path") === (path !== undefined)) continue;
    throw invalid(`shapes.${index}.path is required if its kind is path, and not allowed otherwise.`);
  }
  if (options.encrypt && options.pdf_a) {
    throw invalid(
      "encrypt and pdf_a can't be combined, because PDF/A forbids encryption. Remove one of them.",
    );
  }
}

/** Lists the options that refer to blocks, with the blocks' names. */
function blocksNamed({
  text_elements,
  shapes,
  places,
}: PdfOptions): (readonly [string, string | undefined])[] {
  const { logo, facts, signatures } = places;
  return [
    ...Object.entries(text_elements).map(
      ([key, element]) => [`text_elements.${key}.block`, element ? element.block : undefined] as const,
    ),
    ...shapes.map(({ block }, index) => [`shapes.${index}.block`, block] as const),
    ...Object.entries({ logo, facts, signatures }).map(
      ([part, box]) => [`places.${part}.block`, box?.block] as const,
    ),
  ];
}
