import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LanguageTag } from "#foundation/languages/list.js";
import { plainLine } from "#foundation/text/plain-line.js";
import {
  credentialAvailable,
  credentialExpiring,
  credentialWithdrawn,
} from "#infrastructure/email/messages/credential-emails.js";
import { emailLanguages } from "#infrastructure/email/messages/languages.js";
import { hostileText, hostileTexts } from "./hostile-texts.js";
import { readHtml } from "./read-html.js";

const facts = {
  platformName: "Example Academy",
  credentialType: "Certificate of Achievement",
  learningContextName: "Bridges & Tunnels",
  userFullName: "Ana Kovač",
  link: "https://credentials.example.org/d/abc?x=1&y=%27",
  page: "https://credentials.example.org/verify/f58a4a10-67c4-42c7-9081-22078fceac85/",
  isReplacement: false,
};
const tags = emailLanguages.all.map(({ tag }) => tag);
const count = (text: string, part: string) => text.split(part).length - 1;

describe("each language", () => {
  test.each(tags)("%s greets, and names platform, credential, context and each link once", (tag) => {
    const { subject, text, html } = credentialAvailable(facts, [tag]);
    const read = readHtml(html);
    expect(subject).toContain("Example Academy");
    expect(subject).toContain("Bridges & Tunnels");
    for (const body of [text, read.text]) {
      for (const name of [facts.platformName, facts.credentialType, facts.learningContextName]) {
        expect(count(body, name)).toBe(1);
      }
      expect(body).not.toMatch(/[{}]|undefined/);
    }
    expect(count(text, facts.link)).toBe(1);
    expect(count(text, facts.page)).toBe(1);
    expect(count(text, "Ana Kovač")).toBe(1);
    expect(count(read.text, "Ana Kovač")).toBe(1);
    expect(read.tags.flatMap(({ attributes }) => attributes.href ?? [])).toEqual([facts.link, facts.page]);
    expect(count(html, "https://")).toBe(2);
  });

  test.each(emailLanguages.all)("$tag is marked as $direction in HTML", ({ tag, direction }) => {
    const { tags } = readHtml(credentialAvailable(facts, [tag]).html);
    for (const element of ["html", "div"]) {
      expect(tags.find(({ name }) => name === element)?.attributes).toMatchObject({
        lang: tag,
        dir: direction,
      });
    }
    expect(direction).toBe(tag === "ar" ? "rtl" : "ltr");
  });
});

const lastDays: Record<LanguageTag, string> = {
  ar: "20 مايو 2028",
  de: "20. Mai 2028",
  en: "May 20, 2028",
  es: "20 de mayo de 2028",
  fr: "20 mai 2028",
  it: "20 maggio 2028",
  pt: "20 de maio de 2028",
  uk: "20 травня 2028 р.",
};

describe.each(tags)("in %s", (tag) => {
  test("a notice of expiry names the last day in its time zone, and leads to the page", () => {
    const { subject, text, html } = credentialExpiring(
      {
        ...facts,
        link: facts.page,
        lastValid: new Date("2028-05-21T03:59:59Z"),
        timeZone: "America/New_York",
      },
      [tag],
    );
    const read = readHtml(html);
    expect(subject).toContain("Bridges & Tunnels");
    for (const words of [subject, text, html]) expect(words).not.toMatch(/\{\w+\}|undefined/);
    for (const fact of [facts.platformName, facts.credentialType, "Ana Kovač", lastDays[tag]]) {
      expect(text).toContain(fact);
      expect(read.text).toContain(fact);
    }
    expect(text).toContain(facts.page);
    expect(read.tags.flatMap(({ attributes }) => attributes.href ?? [])).toEqual([facts.page]);
  });

  test("a replacement says that the earlier one is no longer valid", () => {
    const usual = credentialAvailable(facts, [tag]);
    const { subject, text, html } = credentialAvailable({ ...facts, isReplacement: true }, [tag]);
    expect(subject).toContain("Bridges & Tunnels");
    expect(subject).not.toBe(usual.subject);
    for (const words of [subject, text, html]) expect(words).not.toMatch(/\{\w+\}|undefined/);
    for (const part of [facts.link, facts.page, "Ana Kovač"]) expect(text).toContain(part);
  });

  test("a withdrawal has its reason as text, and leads to the page", () => {
    const reason = "<b>Exam</b> {name} repeated";
    const { subject, text, html } = credentialWithdrawn({ ...facts, link: facts.page, reason }, [tag]);
    expect(subject).toContain("Bridges & Tunnels");
    expect(text).toContain(reason);
    expect(html).toContain("&lt;b&gt;Exam&lt;/b&gt; {name} repeated");
    expect(readHtml(html).tags.flatMap(({ attributes }) => attributes.href ?? [])).toEqual([facts.page]);
    for (const words of [subject, text, html]) {
      expect(words.replaceAll("{name}", "")).not.toMatch(/\{\w+\}|undefined/);
    }
  });
});

describe("the greeting", () => {
  test.each([
    "Ana Kovač",
    "J.R.R. Tolkien",
    "Dr. Eva-Maria O’Neil",
    "María José García Márquez",
    "Kovač, Ana",
    "王小明",
    "مريم بن علي",
    "Ірина Шевченко",
    "Sukarno",
  ])("contains the name %j", (userFullName) => {
    const { text, html } = credentialAvailable({ ...facts, userFullName }, ["en"]);
    expect(text).toContain("Hello ");
    expect(text).toContain(userFullName);
    expect(html).toContain(`<span dir="auto">${userFullName}</span>`);
  });

  test.each([
    "",
    "Visit evil.com now",
    "evil.example",
    "http://evil.example",
    "You won 500 Euro",
    "Call +49 30 1234",
    "<b>Ana</b>",
    "Ana @ home",
    "pay! now",
    "one two three four five six seven",
    "A".repeat(61),
  ])("leaves out a name that could be read as something else: %j", (userFullName) => {
    const { text, html } = credentialAvailable({ ...facts, userFullName }, ["en"]);
    expect(text).not.toContain("Hello");
    if (userFullName !== "") expect(text + html).not.toContain(userFullName);
  });
});

describe("the language", () => {
  test.each([
    [["es"], "es"],
    [["es-419", "de"], "es"],
    [["DE-at"], "de"],
    [["pt-BR", "fr"], "pt"],
    [["tr", "it"], "it"],
    [["tr", "ja-JP"], "en"],
    [["", "uk"], "uk"],
    [["not a tag", "fr-CA"], "fr"],
    [["ar-Arab-EG"], "ar"],
    [[], "en"],
  ])("for %j is %s", (wishes, tag) => {
    expect(credentialAvailable(facts, wishes).html).toContain(`<html lang="${tag}"`);
  });
});

test("HTML sets no colours except the button's", () => {
  const { html } = credentialAvailable(facts, ["en"]);
  expect(html).toContain('<meta name="color-scheme" content="light dark" />');
  expect(html.match(/color:[^;"]+/g)).toEqual(["color:#1a56b0", "color:#ffffff"]);
  expect(html).not.toMatch(/<(style|script|img|link)\b/);
});

test("names of the other direction are isolated", () => {
  const arabicTitle = { ...facts, learningContextName: "مقدمة (١)" };
  expect(credentialAvailable(arabicTitle, ["en"]).subject).toBe(
    "Example Academy: your credential for \u2068مقدمة (١)\u2069 is available",
  );
  expect(credentialAvailable(facts, ["ar"]).text).toContain("\u2068Bridges & Tunnels\u2069");
  expect(credentialAvailable(facts, ["en"]).text).not.toMatch(/[\u2068\u2069]/);
});

test.each([
  "javascript:alert(1)",
  "https://x.y/ evil",
  'https://x.y/"',
  "https://x.y/\nBcc: a@b.c",
  "",
  "https://",
])("the link %j is refused as a defect", (link) => {
  expect(() => credentialAvailable({ ...facts, link }, ["en"])).toThrow("not a plain http(s) URL");
});

describe("hostile names", () => {
  const shape = (html: string) => readHtml(html).tags.map(({ name, attributes }) => [name, attributes]);

  /** Expects that an email with these names has the same structure as any other. */
  function expectHarmless(
    names: { platformName: string; credentialType: string; learningContextName: string },
    tag: string,
  ) {
    const { subject, text, html } = credentialAvailable({ ...facts, ...names }, [tag]);
    const harmless = credentialAvailable(facts, [tag]);
    expect(subject).not.toMatch(/\p{Cc}|\u2028|\u2029/u);
    expect(text.split("\n")).toHaveLength(harmless.text.split("\n").length);
    expect(shape(html)).toEqual(shape(harmless.html));
    for (const name of Object.values(names).map(plainLine)) {
      expect(text).toContain(name);
      expect(readHtml(html).text).toContain(name);
    }
    for (const part of [subject, text, html]) expect(part).not.toMatch(/(?![\u2068\u2069])\p{Bidi_Control}/u);
    expect(count(subject + text, "\u2068")).toBe(count(subject + text, "\u2069"));
  }

  test.each(hostileTexts)("%j stays text", (name) => {
    for (const tag of tags) {
      expectHarmless({ platformName: name, credentialType: name, learningContextName: name }, tag);
    }
  });

  test("of any kind stay text", () => {
    fc.assert(
      fc.property(
        fc.record({
          platformName: hostileText,
          credentialType: hostileText,
          learningContextName: hostileText,
        }),
        fc.constantFrom(...tags),
        expectHarmless,
      ),
      { numRuns: 300 },
    );
  });
});
