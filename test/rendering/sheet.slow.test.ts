import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { shortCodeOf } from "#domain/credentials/short-code.js";
import { pdfCredentialGenerator } from "#formats/rendering/design/pdf-credential.js";
import type { CredentialFacts, LoadedAsset } from "#formats/rendering/generator.js";
import { newDirectory } from "../support/directory.js";
import { ada } from "./ada.js";
import { collisions } from "./collisions.js";
import { scanQr } from "./design/scan-qr.js";
import { drawPdf } from "./draw-pdf.js";
import { readPdf } from "./read-pdf.js";
import { picture } from "./templates.js";

/** The width of the built-in design's frame, including the free space inside it. */
const FRAME = 48;
const FACTS = ["grade", "grade.final", "hours", "credits", "learner_id", "award_date"];
const signatory = { name: "Dr. Ingrid Fyrberg", title: "Keeper of the Light and Dean of Studies" };
const particulars = {
  grade: 92.35,
  grades: { final: 91 },
  hours: 40,
  credits: "6 ECTS",
  learner_id: "2026-0417",
  signatory,
};
const assets = new Map<string, LoadedAsset>([
  ["logo", picture("png")],
  ["signature", picture("png")],
]);
const all = {
  facts: FACTS,
  hours: 40,
  credits: "6 ECTS",
  logo: "logo",
  signatory: { ...signatory, image: "signature" },
};
const facts: CredentialFacts = {
  ...ada,
  verifyShortUrl: `credentials.example.org/v/${shortCodeOf(ada.verifyUuid)}`,
  awarded: new Date("2024-05-01T12:00:00Z"),
  particulars,
};

const long = "Wolfeschlegelsteinhausen Bergerdorff-Schwarzenberg von Hohenlohe-Langenburg zu X";
const course =
  "An Introduction to the Practical Observation of the Night Sky with Binoculars for Beginners and Returning Students";

const sheet: [string, Partial<CredentialFacts>][] = [
  ["en", { userFullName: "Ana Kovač", learningContextName: "Reading the Night Sky" }],
  ["de", { userFullName: long, learningContextName: course, credentialType: "Zeugnis" }],
  [
    "ar",
    {
      userFullName: "محمد بن موسى الخوارزمي",
      learningContextName: "قراءة سماء الليل",
      credentialType: "شهادة إنجاز",
      platformName: "أكاديمية ضوء المرفأ",
    },
  ],
  [
    "uk",
    {
      userFullName: "Анна Ковальчук-Їжакевич",
      learningContextName: "Читання нічного неба",
      credentialType: "Свідоцтво про досягнення",
      platformName: "Академія «Світло гавані»",
    },
  ],
  ["en", { userFullName: "श्रीमती लक्ष्मी विश्वनाथन्", learningContextName: "One\nTwo\nThree" }],
  ["fr", { userFullName: "欧阳若溪", platformName: long }],
];

const pages = ["landscape", "portrait"].flatMap((orientation) =>
  ["A4", "LETTER"].map((size) => ({ size, orientation })),
);
const parts = { "all parts": all, "no parts": { facts: FACTS } };

test.each(
  sheet.flatMap(([language, own]) =>
    pages.flatMap((page) =>
      Object.entries(parts).map(
        ([name, options]) =>
          [
            `${own.userFullName?.slice(0, 12)} in ${language}, ${page.size} ${page.orientation}, ${name}`,
            own,
            { ...options, language, page },
          ] as const,
      ),
    ),
  ),
)("%s: nothing overlaps, leaves the frame or is larger than the name", async (_name, own, options) => {
  const { signatory: signing, ...unsigned } = particulars;
  const said = { ...unsigned, ...("signatory" in options && { signatory: signing }) };
  const bytes = await pdfCredentialGenerator.render({ ...facts, ...own, particulars: said }, options, assets);
  const { items, width, height, text } = await readPdf(bytes);
  const boxes = boxesOf(bytes);
  expect(boxes.length).toBeGreaterThan(12);
  for (const { words, left, right, top, bottom } of boxes) {
    expect(left, words).toBeGreaterThan(FRAME);
    expect(right, words).toBeLessThan(width - FRAME);
    expect(top, words).toBeGreaterThan(FRAME);
    expect(bottom, words).toBeLessThan(height - FRAME);
  }
  expect(collisions(items).join("; ")).toBe("");

  const largest = Math.max(...items.map(({ size }) => size));
  const isOfName = (words: string) => [...words].every((letter) => own.userFullName?.includes(letter));
  const rivals = items.filter((item) => item.size > largest * 0.95 && !isOfName(item.text));
  expect(rivals.map((item) => item.text)).toEqual([]);
  expect(text).toContain("credentials.example.org/v/");
  if ("signatory" in options) expect(text).toContain(signatory.name);
});

test("a camera reads the code of a sheet with all parts", async () => {
  const bytes = await pdfCredentialGenerator.render(facts, all, assets);
  const drawn = await drawPdf(bytes, 2);
  expect(scanQr(drawn.getContext("2d").getImageData(0, 0, drawn.width, drawn.height))).toBe(facts.verifyUrl);
});

test("the issuer is named once, and there is a line only for a signatory", async () => {
  const plain = await readPdf(await pdfCredentialGenerator.render({ ...facts, particulars: {} }, {}));
  expect(plain.text.toUpperCase().split(ada.platformName.toUpperCase())).toHaveLength(2);
  expect(plain.structure.filter((each) => each === "Figure")).toHaveLength(1);
  const signed = await readPdf(await pdfCredentialGenerator.render(facts, all, assets));
  expect(signed.structure.filter((each) => each === "Figure")).toHaveLength(2);
});

interface WordBox {
  readonly words: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Returns the words with their positions as reported by pdftotext, measured from the top. */
function boxesOf(bytes: Uint8Array): WordBox[] {
  const file = join(newDirectory("sheet"), "sheet.pdf");
  writeFileSync(file, bytes);
  const html = execFileSync("pdftotext", ["-bbox", file, "-"], { encoding: "utf8" });
  const words = html.matchAll(
    /<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(.*?)<\/word>/g,
  );
  return [...words].map(([, left, top, right, bottom, text = ""]) => ({
    words: text,
    left: Number(left),
    right: Number(right),
    top: Number(top),
    bottom: Number(bottom),
  }));
}
