import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { PDFDict, PDFDocument, PDFHexString, PDFName, PDFString, rgb } from "@cantoo/pdf-lib";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { assetParts } from "../../assets/asset-parts.js";
import { offerCredential } from "../../configurations/offer-credential.js";
import { findChromium, launchChromium } from "../../edges/pages/chromium.js";
import { COURSE, givenAcademy } from "../../support/academy.js";
import { bytesOf, missingTools, outputOf } from "../pdf-tools.js";
import { characters } from "../read-pdf.js";
import { compareInk, type Difference, type Ink, redInkOfPng, redInkOfPpm, sheetOf } from "./ink.js";
import { notoFile, notoFonts } from "./noto.js";
import { namesByScript } from "./scripts.js";

/*
 * Compares how the service and Chromium draw names in every script, with the same font file. If SHAPING_SHEETS names a
 * directory, pictures of both drawings, one above the other, are stored there for visual review.
 */

/** For each script: the built-in or optional font, and another one, which is uploaded. */
const fonts: Readonly<Record<string, readonly [own: string, uploaded: string]>> = {
  Latin: ["eb-garamond/400Regular_Italic/EBGaramond_400Regular_Italic", "NotoSans"],
  Cyrillic: ["eb-garamond/400Regular_Italic/EBGaramond_400Regular_Italic", "NotoSerif"],
  Greek: ["eb-garamond/400Regular_Italic/EBGaramond_400Regular_Italic", "NotoSerif"],
  Arabic: ["amiri/400Regular/Amiri_400Regular", "NotoNastaliqUrdu"],
  Hebrew: ["frank-ruhl-libre/400Regular/FrankRuhlLibre_400Regular", "NotoSerifHebrew"],
  Devanagari: ["tiro-devanagari-hindi/400Regular/TiroDevanagariHindi_400Regular", "NotoSerifDevanagari"],
  Bengali: ["tiro-bangla/TiroBangla_400Regular", "NotoSerifBengali"],
  Tamil: ["noto-sans-tamil/400Regular/NotoSansTamil_400Regular", "NotoSerifTamil"],
  Thai: ["noto-sans-thai/400Regular/NotoSansThai_400Regular", "NotoSerifThai"],
  Georgian: ["noto-sans-georgian/400Regular/NotoSansGeorgian_400Regular", "NotoSerifGeorgian"],
  Armenian: ["noto-sans-armenian/400Regular/NotoSansArmenian_400Regular", "NotoSerifArmenian"],
  Ethiopic: ["abyssinica-sil/400Regular/AbyssinicaSIL_400Regular", "NotoSansEthiopic"],
  Thaana: ["noto-sans-thaana/400Regular/NotoSansThaana_400Regular", "NotoSansThaana"],
  Chinese: [
    "zcool-xiaowei/400Regular/ZCOOLXiaoWei_400Regular",
    "@zcool-xiaowei/400Regular/ZCOOLXiaoWei_400Regular",
  ],
  Japanese: ["hina-mincho/400Regular/HinaMincho_400Regular", "@hina-mincho/400Regular/HinaMincho_400Regular"],
  Korean: ["gowun-batang/400Regular/GowunBatang_400Regular", "@gowun-batang/700Bold/GowunBatang_700Bold"],
  Telugu: ["noto-serif-telugu/400Regular/NotoSerifTelugu_400Regular", "NotoSansTelugu"],
  Kannada: ["noto-sans-kannada/400Regular/NotoSansKannada_400Regular", "NotoSerifKannada"],
  Malayalam: ["noto-sans-malayalam/400Regular/NotoSansMalayalam_400Regular", "NotoSerifMalayalam"],
  Gujarati: ["noto-sans-gujarati/400Regular/NotoSansGujarati_400Regular", "NotoSerifGujarati"],
  Gurmukhi: ["noto-sans-gurmukhi/400Regular/NotoSansGurmukhi_400Regular", "NotoSerifGurmukhi"],
  Odia: ["noto-sans-oriya/400Regular/NotoSansOriya_400Regular", "NotoSansOriya"],
  Sinhala: ["noto-sans-sinhala/400Regular/NotoSansSinhala_400Regular", "NotoSerifSinhala"],
  Khmer: ["noto-sans-khmer/400Regular/NotoSansKhmer_400Regular", "NotoSerifKhmer"],
  Lao: ["noto-sans-lao/400Regular/NotoSansLao_400Regular", "NotoSerifLao"],
  Burmese: ["noto-sans-myanmar/400Regular/NotoSansMyanmar_400Regular", "NotoSerifMyanmar"],
  Tibetan: ["noto-serif-tibetan/400Regular/NotoSerifTibetan_400Regular", "NotoSerifTibetan"],
  Mongolian: ["noto-sans-mongolian/400Regular/NotoSansMongolian_400Regular", "NotoSansMongolian"],
  "N'Ko": ["noto-sans-nko/400Regular/NotoSansNKo_400Regular", "NotoSansNKo"],
  Tifinagh: ["noto-sans-tifinagh/400Regular/NotoSansTifinagh_400Regular", "NotoSansTifinagh"],
  Cherokee: ["noto-sans-cherokee/400Regular/NotoSansCherokee_400Regular", "NotoSansCherokee"],
  Syriac: ["noto-sans-syriac/400Regular/NotoSansSyriac_400Regular", "NotoSansSyriac"],
};

/**
 * Scripts whose letters look the same alone and together, so a picture can't show whether they were shaped.
 */
const lettersStandAlone = new Set([
  ...["Hebrew", "Georgian", "Armenian", "Ethiopic", "Chinese", "Japanese", "Korean", "Cherokee"],
  ...["Tifinagh", "Cyrillic", "Greek", "Latin"], // kerned, which is too slight to detect in every font
]);

const executable = findChromium();
const missing = await missingTools("pdftoppm", "pdftotext", "pdfinfo");
const isNotoThere = notoFonts().length > 0;

const PIXELS_PER_EM = 64;
const SIZE = 32;
const RED = "#ff0000";

describe.skipIf(executable === undefined || missing.length > 0 || !isNotoThere)(
  "compared with Chromium",
  () => {
    const academy = givenAcademy();
    let browser: Browser;
    let page: Page;
    let builtIn: number;
    const uploaded = new Map<string, string>();
    let types = 0;

    beforeAll(async () => {
      await upload("blank", await almostBlankPage());
      builtIn = await configure("Built-in", { ...red, accent_color: "#888888" });
      browser = await launchChromium(executable ?? "");
      page = await (await browser.newContext({ viewport: { width: 2400, height: 400 } })).newPage();
      await page.route("http://fonts.test/**", async (route) => {
        const body = await readFile(new URL(route.request().url()).searchParams.get("file") ?? "");
        await route.fulfill({ body, headers: { "access-control-allow-origin": "*" } });
      });
    });
    afterAll(async () => {
      await browser?.close();
    });

    test.each(namesByScript)("a name in %s: %s", async (script, name) => {
      const [own, other] = fonts[script] ?? ["", ""];
      const [ownRight] = await picturesOf(packagedFile(own), "en", [name]);
      await expectAlike(`${script}, built-in design`, builtIn, name, ownRight);
      const file = other.startsWith("@") ? packagedFile(other.slice(1)) : notoFile(other);
      const configuration = await onTemplate(file);
      const wrong = [lettersOf(name), backwards(name), withoutLastMark(name)];
      const [right, ...misshapen] = await picturesOf(file, "en", [name, ...wrong]);
      await expectAlike(`${script}, template`, configuration, name, right);

      const [apart, turned, less] = misshapen.map((ink) => compareInk(ink, right ?? ink));
      if (process.env.SHAPING_SHEETS) console.info(script, JSON.stringify({ apart, turned, less }));
      expect(isAlike(turned), `${name} read backwards`).toBe(false);
      if (!lettersStandAlone.has(script)) expect(isAlike(apart), `${name} in single letters`).toBe(false);
      if (withoutLastMark(name) !== name) expect(isAlike(less), `${name} without its last mark`).toBe(false);
    });

    test.each([
      ["Telugu", "Dr. శ్రీనివాస రావు (PhD)", "noto-serif-telugu/400Regular/NotoSerifTelugu_400Regular"],
      [
        "Devanagari",
        "Prof. लक्ष्मी विश्वनाथन्",
        "tiro-devanagari-hindi/400Regular/TiroDevanagariHindi_400Regular",
      ],
      ["Arabic", "Dr. محمد الخوارزمي", "amiri/400Regular/Amiri_400Regular"],
      ["Khmer", "Sok សុខ ស្រីមុំ", "noto-sans-khmer/400Regular/NotoSansKhmer_400Regular"],
    ])("Latin and %s in one uploaded font: %s", async (script, name, packaged) => {
      const file = packagedFile(packaged);
      const [right] = await picturesOf(file, "en", [name]);
      await expectAlike(`Latin and ${script}`, await onTemplate(file), name, right);
    });

    test.each([
      ["tr", "Afife Filiz", "eb-garamond/400Regular/EBGaramond_400Regular"],
      ["sr", "Љубо Бабић", "eb-garamond/400Regular/EBGaramond_400Regular"],
      ["de", "Übel Hoffmann", "eb-garamond/400Regular/EBGaramond_400Regular"],
      ["ur", "۴۵۶۷ نسیم", "amiri/400Regular/Amiri_400Regular"],
    ])(
      "in a document in %s, the letters take the forms of that language: %s",
      async (language, name, packaged) => {
        const file = packagedFile(packaged);
        const [right] = await picturesOf(file, language, [name]);
        await expectAlike(`language ${language}`, await onTemplate(file, language), name, right);
        const [english] = await picturesOf(file, "en", [name]);
        if (english && right) expect(isAlike(compareInk(english, right)), `${name} in English`).toBe(false);
      },
    );

    /** Issues a credential, reads it back, and compares its picture with Chromium's. */
    async function expectAlike(
      what: string,
      configurationId: number,
      name: string,
      right: Ink | undefined,
    ): Promise<void> {
      const pdf = await issue(configurationId, name);
      await expectReadBack(pdf, name);
      const resolution = String((72 * PIXELS_PER_EM) / SIZE);
      const ours = redInkOfPpm(await bytesOf("pdftoppm", "-r", resolution, pdf));
      const difference = compareInk(ours, right ?? ours);
      if (process.env.SHAPING_SHEETS) {
        console.info(what, JSON.stringify(difference));
        await mkdir(process.env.SHAPING_SHEETS, { recursive: true });
        const sheet = join(process.env.SHAPING_SHEETS, `${what}.png`);
        await writeFile(sheet, sheetOf(ours, right ?? ours).toBuffer("image/png"));
      }
      expect(right).toBeDefined();
      expect(isAlike(difference), `${what}: ${name} ${JSON.stringify(difference)}`).toBe(true);
    }

    /**
     * Expects that pdftotext reads the name. If pdftotext reads the characters in another order, expects all
     * characters, and the exact name in the metadata and the structure tree.
     */
    async function expectReadBack(pdf: string, name: string): Promise<void> {
      const read = await outputOf("pdftotext", pdf, "-");
      if (read.includes(name)) return;
      const found = [...characters(read)];
      const lacking = [...characters(name)].filter(
        (each) => found.splice(found.indexOf(each) >>> 0, 1).length === 0,
      );
      expect(lacking).toEqual([]);
      expect(await outputOf("pdfinfo", pdf)).toMatch(new RegExp(`^Title: .*${name}$`, "m"));
      expect(await actualTexts(pdf)).toContain(name);
    }

    /** Returns the path of the file of a credential that is issued to a learner with this name. */
    async function issue(configurationId: number, fullName: string): Promise<string> {
      const username = `learner-${configurationId}-${fullName.length}-${fullName.codePointAt(0)}`;
      await academy.enrol(username);
      await academy.report({ case: "learner", value: { username, fullName } });
      const { uuid, userFullName } = await academy.credentials.issueCredential({ configurationId, username });
      expect(userFullName).toBe(fullName);
      await academy.generate(uuid);
      const [file = ""] = await academy.filesOf(uuid);
      return file;
    }

    /** Creates a configuration that prints nothing but the name, in an uploaded font, on a template. */
    async function onTemplate(file: string, language = "en"): Promise<number> {
      const known = uploaded.get(file);
      const slug = known ?? `font-${uploaded.size}`;
      if (known === undefined) await upload(slug, await readFile(file));
      uploaded.set(file, slug);
      const { name, ...others } = red.text_elements;
      return configure(`On a template ${types++}`, {
        template: "blank",
        defaults: { font: slug },
        language,
        text_elements: { ...others, name: { ...name, y: 70, size: SIZE }, context: false, date: false },
      });
    }

    async function configure(name: string, options: object): Promise<number> {
      const { id } = await offerCredential(
        academy.configurations,
        COURSE,
        name,
        "retrieve_subsection_grades",
        { required_grades: { Exam: 0.5 }, ...options },
      );
      return id;
    }

    const upload = (slug: string, bytes: Uint8Array) =>
      academy.configurations.uploadAsset(assetParts(slug, bytes));

    /** Returns pictures of texts as Chromium draws them. If a text is a list, its pieces are shaped separately. */
    async function picturesOf(
      file: string,
      language: string,
      texts: readonly (string | readonly string[])[],
    ): Promise<Ink[]> {
      await page.setContent(`<!doctype html><html lang="${language}"><style>
      @font-face { font-family: "the font"; src: url("http://fonts.test/?file=${encodeURIComponent(file)}"); }
      body { margin: 0 }
      p { color: ${RED}; font: ${PIXELS_PER_EM}px "the font"; margin: 0; padding: 60px; text-rendering: geometricPrecision;
        white-space: pre; width: max-content }
      b { display: inline-block; font-weight: normal }
      </style><body>${texts.map((text) => `<p dir="auto">${htmlOf(text)}</p>`).join("")}`);
      const faces = await page.evaluate<string[]>(
        "document.fonts.load('10px \"the font\"', document.body.textContent).then((faces) => faces.map(({ status }) => status))",
      );
      expect(faces).toEqual(["loaded"]);
      const pictures: Ink[] = [];
      for (const paragraph of await page.locator("p").all()) {
        pictures.push(await redInkOfPng(await paragraph.screenshot()));
      }
      return pictures;
    }
  },
);

const red = { text_elements: { name: { color: RED } } };

/**
 * Compares differences with limits that were chosen from measurements at 64 pixels per em. Antialiasing and half pixels
 * cause a `stray` of up to 0.0004 and a `worst` of up to 0.015. The smallest missing mark causes 0.0016 and 0.07.
 */
function isAlike(
  { width, stray, worst }: Difference | undefined = { width: 1, stray: 1, worst: 1 },
): boolean {
  return width < 0.03 && stray < 0.001 && worst < 0.03;
}

/** Returns the texts that the structure tree gives instead of glyphs (ISO 32000, 14.9.4). */
async function actualTexts(pdf: string): Promise<string[]> {
  const { context } = await PDFDocument.load(await readFile(pdf), { updateMetadata: false });
  return context.enumerateIndirectObjects().flatMap(([, object]) => {
    const text =
      object instanceof PDFDict && object.get(PDFName.of("S")) && object.get(PDFName.of("ActualText"));
    return text instanceof PDFHexString || text instanceof PDFString ? [text.decodeText()] : [];
  });
}

function lettersOf(name: string): string[] {
  return [...name];
}

function backwards(name: string): string {
  return [...new Intl.Segmenter("und").segment(name)]
    .map(({ segment }) => segment)
    .reverse()
    .join("");
}

function withoutLastMark(name: string): string {
  return name
    .normalize("NFD")
    .replace(/\p{M}(?=\P{M}*$)/u, "")
    .normalize("NFC");
}

function htmlOf(text: string | readonly string[]): string {
  return typeof text === "string" ? text : text.map((piece) => `<b>${piece}</b>`).join("");
}

function packagedFile(name: string): string {
  return createRequire(import.meta.url).resolve(`@expo-google-fonts/${name}.ttf`);
}

async function almostBlankPage(): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.addPage([1000, 200]).drawRectangle({ x: 0, y: 0, width: 1000, height: 4, color: rgb(0, 0, 0.5) });
  return document.save();
}
