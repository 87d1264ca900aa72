import { describe, expect, test } from "vitest";
import { pdfCredentialGenerator } from "#formats/rendering/design/pdf-credential.js";
import type { CredentialFacts } from "#formats/rendering/generator.js";
import { CHECK_BYTES } from "#infrastructure/files/local/file-store.js";
import { ada } from "./ada.js";
import { characters, readPdf } from "./read-pdf.js";
import { namesByScript } from "./text/scripts.js";

const longName = "Wolfeschlegelsteinhausen Bergerdorff-Schwarzenberg von Hohenlohe-Langenburg zu X";
const a4 = { width: 841.89, height: 595.28 };

async function render(facts: Partial<CredentialFacts> = {}, options: Record<string, unknown> = {}) {
  return pdfCredentialGenerator.render({ ...ada, ...facts }, options);
}

describe("the contents", () => {
  test("another program can read the facts, the link and the structure", async () => {
    const pdf = await readPdf(await render());
    for (const fact of [ada.userFullName, ada.learningContextName, ada.credentialType, ada.issueDate]) {
      expect(pdf.text).toContain(fact);
    }
    expect(pdf.text).toContain(ada.platformName.toUpperCase());
    expect(pdf.text).toContain(ada.verifyUrl);
    expect(new Set(pdf.links)).toEqual(new Set([ada.verifyUrl]));
    expect(pdf.structure).toEqual(expect.arrayContaining(["Document", "H1", "P", "Link", "Figure"]));
  });

  test("its metadata has title, language and time of issuing, and no author", async () => {
    const { info } = await readPdf(await render({ language: "fr-CA" }));
    expect(info).toMatchObject({
      Title: "Certificate of Achievement – Ada Lovelace",
      Language: "fr-CA",
      CreationDate: "D:20260115103000Z",
    });
    expect(info).not.toHaveProperty("Author");
  });

  test.each([
    ["en-GB", "is awarded to"],
    ["de-AT", "wird verliehen an"],
    ["it", "si conferisce a"],
    ["uk", "отримує"],
    ["tr", "is awarded to"],
  ])("the words around the facts for %j: %j", async (language, words) => {
    expect((await readPdf(await render({ language }))).text).toContain(words);
  });

  test("a language without words in the catalogue is not mixed with English", async () => {
    const { issueDate, ...undated } = ada;
    const facts = { ...undated, platformName: "Bilim Merkezi", userFullName: "İlker Işık", language: "tr" };
    const settings = { nameUppercase: true, dateUppercase: true, dateCharSpace: 0, timeZone: "UTC" };
    const file = await pdfCredentialGenerator.render({ ...facts, settings }, {});
    const { text, info } = await readPdf(file ?? new Uint8Array());
    for (const words of ["BILIM MERKEZI", "İLKER IŞIK", "JANUARY 15, 2026", "Date of issue"]) {
      expect(text).toContain(words);
    }
    expect(info).toMatchObject({ Language: "en" });
  });
});

describe("names of the world", () => {
  const around = render({ userFullName: "I" })
    .then(readPdf)
    .then(({ items }) => items.map(({ text }) => text).join(""))
    .then((text) => text.replace("is awarded toI", "is awarded to"));

  test.each<readonly [script: string, name: string]>([
    ...namesByScript.slice(0, 12),
    ["Vietnamese", "Nguyễn Thị Ánh Tuyết"],
    ["Yoruba", "Adébáyọ̀ Ṣọ́lá"],
    ["Cyrillic with a hyphen", "Анна Ковальчук-Їжакевич"],
    ["Arabic with vowels", "مُحَمَّدٌ عَبْدُ اللّٰه"],
    ["Persian with a joiner", "علی‌رضا گلچهره"],
    ["Hebrew with a hyphen", "יעל כהן-לוי"],
    ["Hebrew with points under final letters", "שׁוֹשַׁנָּה נכףֹ"],
    ["mixed", "David Ben-Gurion דוד בן־גוריון"],
  ])("%s", async (_script, userFullName) => {
    const pdf = await readPdf(await render({ userFullName }));
    const words = pdf.items.map((item) => item.text).join("");
    expect(characters(words)).toBe(characters((await around) + userFullName));
  });

  test("brackets and digits in a right-to-left name are where a reader expects them", async () => {
    const { text } = await readPdf(await render({ userFullName: "محمد (أبو جعفر) 12" }));
    expect(text).toContain("محمد (أبو جعفر)");
    expect(text).toContain("12");
  });

  test.each([
    ["Dr. أحمد (PhD) 2nd", "PhD"],
    ["أحمد [Ada]", "Ada"],
    ["أحمد (أبو جعفر)", "جعفر"],
  ])("the brackets of %j are as large as the text inside", async (userFullName, held) => {
    const { items } = await readPdf(await render({ userFullName }));
    const onLine = items.filter(({ baseline }) => Math.abs(baseline - 307) < 1);
    const within = onLine.find(({ text }) => text.includes(held));
    const brackets = onLine.filter(({ text }) => /[()[\]]/.test(text));
    expect(within).toBeDefined();
    expect(brackets.length).toBeGreaterThan(0);
    for (const { size } of brackets) expect(size).toBeCloseTo(within?.size ?? 0, 3);
  });

  test.each(["en", "de", "fr"])("Greek capitals have no tonos in a document in %s", async (language) => {
    const options = { language, defaults: { uppercase: true } };
    const { items } = await readPdf(await render({ userFullName: "Μαΐα Παπαδοπούλου-Ödön" }, options));
    // each script is a separate item
    expect(items.map(({ text }) => text).join("")).toContain("ΜΑΪΑ ΠΑΠΑΔΟΠΟΥΛΟΥ-ÖDÖN");
  });

  test.each([
    ["userFullName", "Ada 𓀀 Lovelace", "𓀀", "U+13000", "the learner's full name"],
    ["learningContextName", "Fun 𝄞", "𝄞", "U+1D11E", "the learning context name"],
    ["platformName", "a\u0007b", "\u0007", "U+0007", "the platform name"],
    ["issueDate", "1\uFFFF", "\uFFFF", "U+FFFF", "the issue date"],
  ])(
    "a character in %s that no font has is refused and named",
    async (field, text, character, code, words) => {
      await expect(render({ [field]: text })).rejects.toMatchObject({
        kind: "failed-precondition",
        message: expect.stringContaining(
          `No font can print "${character}" (${code}), which ${words} contains.`,
        ),
      });
    },
  );

  test.each([
    [5, ","],
    [6, " and 1 more character,"],
    [7, " and 2 more characters,"],
  ])("of %i characters that no font has, five are named", async (count, rest) => {
    const userFullName = [..."𓀀𓀁𓀂𓀃𓀄𓀅𓀆"].slice(0, count).join("");
    const message = expect.stringContaining(`"𓀄" (U+13004)${rest} which the learner's full name contains.`);
    await expect(render({ userFullName })).rejects.toMatchObject({ message });
  });
});

describe("the layout", () => {
  test.each([
    ["by default", {}, a4],
    ["as US Letter", { page: { size: "LETTER" } }, { width: 792, height: 612 }],
  ])("one landscape page %s", async (_case, options, { width, height }) => {
    const pdf = await readPdf(await render({}, options));
    expect(pdf).toMatchObject({ pages: 1, width, height });
  });

  test.each([
    ["a short name and a short context", { userFullName: "Li W", learningContextName: "Logic" }],
    ["80 letters", { userFullName: longName }],
    ["80 letters in one word", { userFullName: longName.replaceAll(/[^a-z]/gi, "a") }],
    ["three lines of context", { learningContextName: "Methods in Statistics\nPublic Health\nSpring 2026" }],
    ["three lines under 80 letters", { userFullName: longName, learningContextName: "One\nTwo\nThree" }],
    ["a context of 300 characters", { learningContextName: "Statistics for everyone ".repeat(12) }],
    ["eight lines", { learningContextName: "Line\n".repeat(8) }],
    ["long everything", { credentialType: longName, platformName: longName, issueDate: longName }],
    ["a long URL", { verifyUrl: `https://example.org/${"a".repeat(180)}` }],
    ["a tall script", { userFullName: "মুখোপাধ্যায় ".repeat(5), learningContextName: "ผู้ใหญ่ ".repeat(12) }],
  ])("%s: nothing leaves the frame or touches other text", async (_case, facts) => {
    for (const size of ["A4", "LETTER"]) {
      const pdf = await readPdf(await render(facts, { page: { size } }));
      for (const item of pdf.items) {
        expect(item.left, item.text).toBeGreaterThan(48);
        expect(item.right, item.text).toBeLessThan(pdf.width - 48);
        expect(item.baseline, item.text).toBeGreaterThan(48);
        expect(item.baseline + item.size * 0.7, item.text).toBeLessThan(pdf.height - 48);
      }
      expect(collisions(pdf.items)).toEqual([]);
    }
  });
});

/** Returns pairs of texts whose boxes from baseline to x-height overlap. */
function collisions(items: Awaited<ReturnType<typeof readPdf>>["items"]): string[] {
  const slack = 0.5;
  return items.flatMap((one, index) =>
    items
      .slice(index + 1)
      .filter((other) => one.left < other.right - slack && other.left < one.right - slack)
      .filter((other) => one.baseline !== other.baseline)
      .filter((other) => {
        const [upper, lower] = one.baseline > other.baseline ? [one, other] : [other, one];
        return lower.baseline + lower.size * 0.66 > upper.baseline - slack;
      })
      .map((other) => `${one.text} / ${other.text}`),
  );
}

describe("the file", () => {
  test("the same facts give the same bytes, whatever was drawn in between", async () => {
    const first = await render();
    await render({ userFullName: "Ἀλέξανδρος Ω", learningContextName: "ΑΒΓ АБВ ABC", platformName: "Άλφα" });
    await render({ userFullName: "محمد" }, { accent_color: "a83c3c" });
    expect(Buffer.from(await render()).equals(Buffer.from(first))).toBe(true);
  });

  test("other facts give other bytes", async () => {
    expect(Buffer.from(await render({ issueDate: "x" })).equals(Buffer.from(await render()))).toBe(false);
  });

  test("it is a few tens of KB", async () => {
    expect((await render()).length).toBeLessThan(90_000);
    expect(CHECK_BYTES.length, "a disk that passes checks has room for a document").toBeGreaterThan(90_000);
  });

  test("every font is embedded", async () => {
    const text = Buffer.from(await render({ userFullName: "Ada محمد लक्ष्मी" })).toString("latin1");
    const fonts = text.match(/\/Type \/Font\n/g) ?? [];
    const descriptors = text.match(/\/FontFile2 \d+/g) ?? [];
    expect(descriptors.length).toBeGreaterThan(3);
    expect(fonts.length).toBe(2 * descriptors.length); // a composite font and its descendant for each descriptor
  });
});

describe("options", () => {
  test.each([
    [{ page: { size: "A5" } }, "page.size"],
    [{ page: { width: 3 } }, "width"],
    [{ defaults: { color: "reddish" } }, "defaults.color"],
    [{ acent_color: "#fff" }, "acent_color"],
    [{ accent_color: 7 }, "accent_color"],
  ])("%j is refused, naming %j", async (options, named) => {
    await expect(render({}, options)).rejects.toMatchObject({
      kind: "invalid",
      message: expect.stringContaining(named),
    });
  });

  test.each(["#fff", "fff", "#1f4a5f", "1F4A5F"])("%j is a colour", async (accent_color) => {
    await expect(render({}, { accent_color })).resolves.toBeInstanceOf(Uint8Array);
  });
});
