import { describe, expect, test } from "vitest";
import { z } from "zod";
import { pdfCredentialGenerator as generator } from "#formats/rendering/design/pdf-credential.js";
import { ada } from "../ada.js";
import { readPdf } from "../read-pdf.js";
import { svgTemplate } from "../templates.js";

const settings = {
  nameUppercase: true,
  dateUppercase: true,
  dateCharSpace: 2,
  dateFormat: "%d %B %Y",
  timeZone: "Asia/Tokyo",
};

async function read(options: Record<string, unknown>, facts = {}) {
  return readPdf(await generator.render({ ...ada, ...facts }, options));
}

describe("an element overrides the defaults, which override built-in values", () => {
  test.each([
    [{}, { baseline: 307, size: 48 }],
    [{ defaults: { size: 20 } }, { baseline: 307, size: 20 }],
    [{ text_elements: { name: { size: 24 } } }, { baseline: 307, size: 24 }],
    [
      { defaults: { size: 20 }, text_elements: { name: { size: 24, y: 300 } } },
      { baseline: 300, size: 24 },
    ],
    [
      { defaults: { size: 20 }, text_elements: { name: { y: 300.5 } } },
      { baseline: 300.5, size: 20 },
    ],
  ])("%j", async (options, { baseline, size }) => {
    const name = (await read(options)).items.find(({ text }) => text === ada.userFullName);
    expect(name?.baseline).toBeCloseTo(baseline, 2);
    expect(name?.size).toBeCloseTo(size, 2);
  });

  test.each([
    [{}, "ADA LOVELACE"],
    [{ defaults: { uppercase: false } }, "Ada Lovelace"],
    [{ defaults: { uppercase: true }, text_elements: { name: { uppercase: false } } }, "Ada Lovelace"],
  ])("capitals with the setting on: %j", async (options, name) => {
    expect((await read(options, { settings })).text).toContain(name);
  });

  test("the setting for names does not affect other texts", async () => {
    expect((await read({}, { settings })).text).toContain(ada.learningContextName);
  });

  test.each([
    [{}, "15 JANUARY 2026"],
    [{ language: "fr" }, "15 JANVIER 2026"],
    [{ text_elements: { date: { uppercase: false } } }, "15 January 2026"],
  ])("the date by format, time zone and language: %j", async (options, date) => {
    const { issueDate, ...undated } = ada;
    const pdf = await readPdf(await generator.render({ ...undated, settings }, options));
    // pdf.js inserts spaces between letters that are spaced out.
    expect(pdf.text.replaceAll(" ", "")).toContain(date.replaceAll(" ", ""));
  });

  test.each([
    ["ar", "15 يناير 2026"],
    ["ar-EG", "١٥ يناير ٢٠٢٦"],
    ["de", "15. Januar 2026"],
    ["en", "January 15, 2026"],
    ["en-GB", "15 January 2026"],
    ["es", "15 de enero de 2026"],
    ["fr", "15 janvier 2026"],
    ["it", "15 gennaio 2026"],
    ["pt-BR", "15 de janeiro de 2026"],
    ["uk", "15 січня 2026 р."],
  ])("the date in the order of %s: %s", async (language, date) => {
    const { issueDate, ...undated } = ada;
    const pdf = await readPdf(await generator.render(undated, { language }));
    const near = pdf.items.filter(({ baseline }) => Math.abs(baseline - 129) < 1).map(({ text }) => text);
    for (const word of date.split(" ")) expect(near.join(" ")).toContain(word);
  });

  test("capitals follow the language", async () => {
    const turkish = { template: "page", language: "tr", defaults: { uppercase: true } };
    const assets = new Map([["page", svgTemplate]]);
    const facts = { ...ada, userFullName: "İlker Işık" };
    const printed = async (language: string) => {
      const options = { ...turkish, language, text_elements: { more: { text: "{name} ile", y: 50 } } };
      return (await readPdf(await generator.render(facts, options, assets))).text;
    };
    expect(await printed("tr")).toContain("İLKER IŞIK İLE");
    // The letters of the name determine how it is capitalised.
    expect(await printed("en")).toContain("İLKER IŞIK ILE");
  });

  test("space between letters widens a text", async () => {
    const width = async (char_space: number) => {
      const { items } = await read({ text_elements: { date: { text: "AAAA", char_space } } });
      const date = items.filter(({ baseline }) => Math.abs(baseline - 129) < 0.1 && baseline);
      const letters = date.filter(({ text }) => /^A( ?A)*$/.test(text));
      return Math.max(...letters.map(({ right }) => right)) - Math.min(...letters.map(({ left }) => left));
    };
    expect((await width(4)) - (await width(0))).toBeCloseTo(12, 0);
  });
});

test("false removes a text, another key adds one", async () => {
  const pdf = await read({
    text_elements: {
      date: false,
      grade: { text: "{{{credential_type}}}: {platform_name}", y: 30, x: 100, align: "left" },
    },
  });
  expect(pdf.text).not.toContain(ada.issueDate);
  const added = pdf.items.find(({ text }) => text === `{${ada.credentialType}}: ${ada.platformName}`);
  expect(added?.left).toBeCloseTo(100, 0);
  expect(added?.baseline).toBeCloseTo(30, 2);
  expect(added?.size).toBeCloseTo(12, 2);
});

test.each([
  ["left", (item: { left: number }) => item.left],
  ["center", (item: { left: number; right: number }) => (item.left + item.right) / 2],
  ["right", (item: { right: number }) => item.right],
])("aligned %s, that point is at x", async (align, point) => {
  const { items } = await read({ text_elements: { context: { x: 400, align } } });
  const context = items.find(({ text }) => text === ada.learningContextName);
  expect(context && point(context)).toBeCloseTo(400, 0);
});

test("a text shrinks to its width, then wraps", async () => {
  const pdf = await read({ text_elements: { context: { max_width: 230 } } });
  expect(pdf.items.find(({ text }) => text === ada.learningContextName)?.size).toBeLessThan(28);
  const wrapped = await read({ text_elements: { context: { max_width: 130 } } });
  expect(wrapped.items.some(({ text }) => text === ada.learningContextName)).toBe(false);
  for (const word of ada.learningContextName.split(" ")) expect(wrapped.text).toContain(word);
});

describe("parts without a value", () => {
  const particulars = { grade: 69.999999, grades: { "problem set": 57 }, learner: { programme: "Physics" } };
  test.each([
    ["Grade: {grade}", "Grade: 69.99%"],
    ["Grade: {grade.Problem Set}", "Grade: 57%"],
    ["Grade: {grade.final}", undefined],
    ["{hours} hours · {learner.programme} · {credits}", "Physics"],
    ["{hours} hours\n{name} | {learner.programme}", "Ada Lovelace | Physics"],
    ["{enrollment.constructor}", undefined],
    ["{{hours}} · {grade}", "{hours} · 69.99%"],
  ])("%s: %s", async (text, printed) => {
    const { items } = await read({ text_elements: { facts: { text, y: 480, size: 7 } } }, { particulars });
    expect(items.filter(({ size }) => size === 7).map((item) => item.text)).toEqual(printed ? [printed] : []);
  });

  test("numbers are in the document's language", async () => {
    const text_elements = { facts: { text: "{grade} | {hours}", y: 480, size: 7 } };
    const facts = { particulars: { grade: 92.35, hours: 1200.5 } };
    expect((await read({ language: "de", text_elements }, facts)).text).toContain("92,35 % | 1.200,5");
  });
});

describe("options that are refused when they are saved", () => {
  test.each([
    [
      { text_elements: { name: { text: "{nickname}" } } },
      ["text_elements.name", "{nickname}", "{verify_url}", "{grade.<assignment type>}", "{learner.<key>}"],
    ],
    [
      { text_elements: { name: { text: "{learner.Programme}" } } },
      ["unknown placeholder", "{learner.<key>}"],
    ],
    [{ text_elements: { name: { text: "{grade.}" } } }, ["unknown placeholder", "{grade.<assignment type>}"]],
    [
      { facts: ["marks"] },
      ["facts[0]", 'unknown fact "marks"', "grade.<assignment type> learner.<key> enrollment.<key>"],
    ],
    [{ facts: ["name"] }, ["facts[0]", "unknown fact"]],
    [{ facts: Array(9).fill("grade") }, ["facts"]],
    [{ labels: { marks: "Marks" } }, ["labels", "marks"]],
    [{ hours: 0 }, ["hours"]],
    [{ credits: " " }, ["credits"]],
    [{ signatory: { title: "Dean" } }, ["signatory.name"]],
    [{ text_elements: { name: { text: "a { b" } } }, ["text_elements.name", 'single "{"']],
    [{ text_elements: { name: { sise: 3 } } }, ["text_elements.name", "sise"]],
    [{ text_elements: { name: { size: "big" } } }, ["text_elements.name", "size"]],
    [{ text_elements: { name: true } }, ["text_elements.name"]],
    [{ text_elements: { "two words": { text: "x", y: 1 } } }, ["two words"]],
    [{ text_elements: { grade: { text: "x" } } }, ["text_elements.grade.y"]],
    [{ text_elements: { grade: {} } }, ["text_elements.grade.text", "text_elements.grade.y"]],
    [{ language: "english!!!" }, ["language"]],
    [{ language: "tr" }, ['no texts in "tr"', "ar, de, en, es, fr, it, pt, uk"]],
    [{ language: "xx" }, ['in the language "xx"']],
    [{ language: "xx", template: "page" }, ['in the language "xx"']],
    [{ encrypt: true, pdf_a: true }, ["encrypt", "pdf_a"]],
    [{ qr: { side: 3 } }, ["qr", "side"]],
    [{ qr: { background: true } }, ["background: must be false", "at qr"]],
    [{ qr: { color: "#eee" }, template: "page" }, ["qr", "#eee on #fff", "contrast of at least 3"]],
    [{ qr: { color: "#fff", background: "#000" } }, ["qr", "must be darker"]],
    [{ images: [{ asset: "a" }] }, ["images", "x"]],
  ])("%j", (options, named) => {
    let message = "";
    try {
      generator.checkOptions?.(options);
    } catch (error) {
      message = String(error);
    }
    for (const words of named) expect(message).toContain(words);
  });
});

test.each([
  { language: "ar-EG" },
  { language: "pt-BR" },
  { language: "tr", template: "page" },
  { language: "zh-Hant", template: "page" },
])("%j is a language of documents", (options) => {
  expect(() => generator.checkOptions?.(options)).not.toThrow();
});

test.each([
  { qr: { color: "#8a6d2f" } },
  { qr: { color: "#fff", background: false } },
  { qr: { color: "#444", background: "#f0e0c0" }, template: "page" },
])("%j is read by cameras", (options) => {
  expect(() => generator.checkOptions?.(options)).not.toThrow();
});

test("the assets that options need are listed", () => {
  const options = {
    template: "page",
    template_multiline: "wide",
    defaults: { font: "EB Garamond" },
    text_elements: { name: { font: "bold" }, date: false },
    images: [{ asset: "seal", x: 0, y: 0 }],
    logo: "arms",
    signatory: { name: "Dr. Fyrberg", image: "signature" },
  };
  expect(generator.assetsOf?.(options)).toEqual([
    { option: "template", slug: "page", kinds: ["pdf", "png", "jpeg", "svg"] },
    { option: "template_multiline", slug: "wide", kinds: ["pdf", "png", "jpeg", "svg"] },
    { option: "text_elements.name.font", slug: "bold", kinds: ["font"] },
    { option: "logo", slug: "arms", kinds: ["png", "jpeg", "svg"] },
    { option: "signatory.image", slug: "signature", kinds: ["png", "jpeg", "svg"] },
    { option: "images.0.asset", slug: "seal", kinds: ["png", "jpeg", "svg"] },
  ]);
});

test("the schema can be exported as JSON", () => {
  const schema = z.toJSONSchema(generator.options, { io: "input" });
  expect(schema).toMatchObject({ type: "object", additionalProperties: false });
});

test.each(["note", "constructor", "toString"])("an element named %s needs a text and a position", (name) => {
  const check = (element: object) => () => generator.checkOptions?.({ text_elements: { [name]: element } });
  expect(check({ size: 9 })).toThrow(`text_elements.${name}.text and text_elements.${name}.y must be set`);
  expect(check({ text: "Note" })).toThrow(`text_elements.${name}.y must be set`);
  expect(check({ y: 9 })).toThrow(`text_elements.${name}.text must be set`);
  expect(check({ text: "Note", y: 9 })).not.toThrow();
});
