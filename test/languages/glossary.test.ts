import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeApi } from "#edges/openapi/document.js";
import { languageTags } from "#foundation/languages/list.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { readSettingMeanings } from "#runtime/settings/setting-meanings.js";
import { readCommands } from "../main/read-commands.js";
import { newDirectory } from "../support/directory.js";
import { FORBIDDEN, hitsOf, IN_SENTENCES } from "./forbidden-words.js";
import remaining from "./forbidden-words.json" with { type: "json" };

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const filesIn = (folder: string, ending: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(ending))
    .map((file) => `${folder}/${file}`)
    .sort();

/** Documents also avoid these words, which readers may have to look up. */
const IN_DOCUMENTS = [...IN_SENTENCES, /\bstands?\b(?!by)/gi, /\bsweeps?\b/gi]; // is, is listed; sync
/** The console's word is "withdraw". */
const IN_INTERFACE = [...FORBIDDEN, /\binvalidat\w*/gi, /\blook of\b/gi];

function textsOf(catalogue: unknown): string[] {
  if (typeof catalogue === "string") return [catalogue.replace(/\{\w+\}/g, "")];
  return Object.values(catalogue as object).flatMap(textsOf);
}

test("the glossary has each term once, with a meaning, in every language", () => {
  const terms: Record<string, string>[] = JSON.parse(read("src/foundation/languages/glossary.json"));
  expect(terms.length).toBeGreaterThanOrEqual(80);
  expect(new Set(terms.map(({ en }) => en)).size).toBe(terms.length);
  for (const term of terms) {
    expect(Object.keys(term).sort(), term.en).toEqual(["definition", ...languageTags].sort());
    for (const text of Object.values(term)) expect(text.trim(), term.en).not.toBe("");
  }
});

test("the page of the glossary is generated from its data", () => {
  const page = join(newDirectory("glossary"), "glossary.md");
  execFileSync("node", [join(ROOT, ".ci/glossary.mjs"), page]);
  expect(read(".docs/glossary.md")).toBe(readFileSync(page, "utf8"));
});

const catalogues = ["src/foundation/languages/en", "src/console/languages/en"].flatMap((folder) =>
  filesIn(folder, ".json"),
);

test.each(catalogues)("%s has no forbidden words", (file) => {
  const hits = textsOf(JSON.parse(read(file))).flatMap((text) => hitsOf(text, IN_INTERFACE));
  const allowed: number = (remaining as Readonly<Record<string, number>>)[file] ?? 0;
  expect({ file, hits: hits.length > allowed ? hits : [] }).toEqual({ file, hits: [] });
});

/** Synonyms of the usual terms, by language. Only the texts of issued documents may contain them. */
const SECOND_WORDS: Readonly<Record<string, readonly RegExp[]>> = {
  ar: [/مستند/g, /المبدئي/g], // وثيقة, الافتراضي
  de: [/Knopf|Knöpfe/g, /Kennwort/g, /Teilnehmernummer/g, /(?<!Open )\bBadge/g], // Schaltfläche, Passwort, Matrikelnummer, Abzeichen
  es: [/monedero/gi, /correo electrónico/gi], // cartera digital, dirección de correo
  fr: [
    /e-mails?\b|adresse de courriel/gi,
    /\bexigences?\b/gi,
    /plateforme de formation/gi,
    /\S [:;!?»%](?!$)|« /g,
  ], // adresse électronique, conditions, plateforme d’apprentissage, no-break spaces
  it: [/menù/gi], // menu
  pt: [/distintivo/gi, /\bcentr(?:ad[oa]|ar)\b/gi, /\bum URL\b/gi], // insígnia, centralizado, uma URL
  uk: [/(?<!веб|«Зовнішні )служб/gi, /бейдж/gi, /електронна пошта/gi], // сервіс (Moodle: Зовнішні служби), значок, електронна адреса
};

test.each(Object.keys(SECOND_WORDS))("in %s, each thing has one word", (tag) => {
  const files = ["src/foundation/languages", "src/console/languages"].flatMap((folder) =>
    filesIn(`${folder}/${tag}`, ".json").filter((file) => !file.endsWith("/document.json")),
  );
  expect(files.length).toBeGreaterThan(20);
  const texts = files.flatMap((file) => textsOf(JSON.parse(read(file))));
  expect(
    texts.flatMap((text) => hitsOf(text, SECOND_WORDS[tag] ?? []).map((hit) => `${hit}: ${text}`)),
  ).toEqual([]);
});

const documents = ["README.md", ...filesIn(".docs", ".md").filter((file) => file !== ".docs/CHANGELOG.md")];

/** Matches code, and the words that the glossary advises against. */
const QUOTED = /^```[\s\S]*?^```$|`[^`\n]*`|\bNot: [\w, ]+\./gm;

test.each(documents)("%s has no forbidden words", (file) => {
  expect({ file, hits: hitsOf(read(file).replaceAll(QUOTED, ""), IN_DOCUMENTS) }).toEqual({ file, hits: [] });
});

test.each(filesIn("proto", ".proto"))("%s has no more forbidden words", (file) => {
  const comments = (
    read(file)
      .replaceAll(/`[^`\n]*`/g, "")
      .match(/\/\/.*$/gm) ?? []
  ).join("\n");
  const hits = hitsOf(comments, FORBIDDEN);
  const allowed: number = (remaining as Readonly<Record<string, number>>)[file] ?? 0;
  expect({ file, hits: hits.length > allowed ? hits : [] }).toEqual({ file, hits: [] });
});

/** Further words that are not allowed in the descriptions of generated references. */
const IN_REFERENCES = [
  ...IN_DOCUMENTS,
  /\bspeaks? for\b/gi, // reports on
  /\bcounts? (?:as written|in|here)\b/gi, // applies to, is included in
  /\bnobody gets\b/gi, // no … is sent
  /\basks? first\b/gi, // asks for confirmation
];

test("the help of commands has no forbidden words", async () => {
  const { helps } = await readCommands();
  expect(helps.length).toBeGreaterThan(40);
  const hits = helps.map(({ path, text }) => ({ path, hits: hitsOf(unquoted(text), IN_REFERENCES) }));
  expect(hits.filter((help) => help.hits.length > 0)).toEqual([]);
});

test("the description of the HTTP API has no forbidden words", () => {
  const services = [CredentialService, ConfigurationService, EligibilityService];
  const texts = descriptionsIn(describeApi(services, "https://credentials.test"));
  expect(texts.length).toBeGreaterThan(100);
  expect(texts.flatMap((text) => hitsOf(unquoted(text), IN_REFERENCES))).toEqual([]);
});

test("the descriptions of settings, which the console shows, have no forbidden words", async () => {
  const settings = await readSettingMeanings();
  expect(settings.length).toBeGreaterThan(50);
  const texts = settings.flatMap((setting) => [setting.type, setting.default, setting.meaning]);
  expect(texts.flatMap((text) => hitsOf(text, IN_REFERENCES))).toEqual([]);
});

/** Removes names of commands and options, for example `connector take-over`. */
function unquoted(text: string): string {
  return text.replaceAll(/`[^`\n]*`|\b[a-z]+-[a-z-]+\b/g, "");
}

/** Returns all summaries and descriptions in an OpenAPI document. */
function descriptionsIn(value: unknown, key = ""): string[] {
  if (typeof value === "string") return key === "description" || key === "summary" ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => descriptionsIn(inner, name));
}
