import { expect, it } from "vitest";
import { pdfCredentialGenerator as generator } from "#formats/rendering/design/pdf-credential.js";
import { type CredentialFacts, EDITION } from "#formats/rendering/generator.js";
import { ada } from "../ada.js";
import { readPdf } from "../read-pdf.js";
import { svgTemplate } from "../templates.js";

const settings = { nameUppercase: true, dateUppercase: false, dateCharSpace: 0, timeZone: "UTC" };
const { issueDate: _, ...undated } = ada;

async function printed(facts: Partial<CredentialFacts>, options: object, edition?: number): Promise<string> {
  const stored = { ...settings, ...facts.settings, ...(edition !== undefined && { edition }) };
  const assets = new Map([["page", svgTemplate]]);
  const pdf = await generator.render({ ...undated, ...facts, settings: stored }, { ...options }, assets);
  return (await readPdf(pdf)).text;
}

const catalan = { ...settings, dateFormat: "%-d de %B de %Y" };

it.each([
  ["French has a verb", { language: "fr" }, {}, "que nous décernons à", "à"],
  [
    "Catalan has one preposition",
    { language: "ca", settings: catalan },
    { template: "page" },
    "15 de gener",
    "15 de de gener",
  ],
  [
    "a Turkish name keeps its dots in an English document",
    { userFullName: "İbrahim Işık" },
    {},
    "İBRAHİM IŞIK",
    "İBRAHIM IŞIK",
  ],
  [
    "the built-in design lists signatories",
    { particulars: { signatory: { name: "Ingrid Stored" } } },
    { signatory: { name: "Ingrid Changed" }, signatories: [{ name: "Samuel Listed" }] },
    "Samuel Listed",
    "Ingrid Stored",
  ],
])("%s; documents issued by 1.0.0 stay unchanged", async (_what, facts, options, now, before) => {
  expect(await printed(facts, options, EDITION)).toContain(now);
  const earlier = await printed(facts, options);
  expect(earlier).not.toContain(now);
  expect(earlier).toContain(before);
});

it("a second language has the words of the same edition", async () => {
  const options = {
    template: "page",
    second_language: "fr",
    text_elements: { second: { text: "{second.awarded_to}", y: 400 } },
  };
  expect(await printed({}, options, EDITION)).toContain("que nous décernons à");
  expect(await printed({}, options)).not.toContain("décernons");
});
