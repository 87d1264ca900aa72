import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { faker } from "@faker-js/faker";
import { pdfCredentialGenerator } from "#formats/rendering/design/pdf-credential.js";
import type { Assets, CredentialFacts } from "#formats/rendering/generator.js";
import { createBarePdfkit } from "../baselines/bare-pdfkit.js";
import { createCantooStamping, institutionPage } from "../baselines/cantoo-stamping.js";
import { perCpuSecond } from "../cpu.js";
import type { Figure } from "../figure.js";

const font = readFileSync(
  fileURLToPath(import.meta.resolve("@expo-google-fonts/eb-garamond/400Regular/EBGaramond_400Regular.ttf")),
);

/** The first rounds mostly measure the compilation, so there are more rounds. */
const ROUNDS = 7;

export const pdfBuiltIn: Figure = {
  name: "pdf-built-in",
  subject: "PDFs per CPU second: the built-in design, Latin names",
  baseline: "bare pdfkit, three texts, shared font object",
  unit: "PDFs/CPU s",
  rounds: ROUNDS,
  reach: 1,
  async prepare({ isShort }) {
    const bare = createBarePdfkit(font);
    return contest(
      isShort ? 100 : 500,
      (name) => render(name),
      (name) => bare(textsOf(name)),
    );
  },
};

export const pdfTemplate: Figure = {
  name: "pdf-template",
  subject: "PDFs per CPU second: an institution's PDF page with an embedded TrueType font, Latin names",
  baseline: "@cantoo/pdf-lib stamping with a shared parsed font",
  unit: "PDFs/CPU s",
  rounds: ROUNDS,
  reach: 5,
  async prepare({ isShort }) {
    const bytes = await institutionPage(font);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const assets: Assets = new Map([["page", { kind: "pdf", bytes, sha256 }]]);
    const stamp = createCantooStamping(bytes, font);
    return contest(
      isShort ? 50 : 200,
      (name) => render(name, { template: "page" }, assets),
      (name) => stamp(textsOf(name)),
    );
  },
};

/** On both sides, every document has a different name. */
function contest(
  documents: number,
  ours: (name: string) => Promise<unknown>,
  bare: (name: string) => Promise<unknown>,
) {
  const names = latinNames();
  const make = (one: (name: string) => Promise<unknown>) => () =>
    perCpuSecond(documents, async () => {
      for (let made = 0; made < documents; made++) await one(next(names));
    });
  return { subject: make(ours), baseline: make(bare) };
}

function render(name: string, options = {}, assets?: Assets): Promise<Uint8Array> {
  const verifyUuid = randomUUID();
  const facts: CredentialFacts = {
    userFullName: name,
    learningContextName: CONTEXT,
    credentialType: "Certificate of Achievement",
    created: new Date("2026-01-15T10:30:00Z"),
    issueDate: DATE,
    verifyUuid,
    verifyUrl: `https://credentials.example.org/verify/${verifyUuid}/`,
    platformName: "Harbour Light Academy",
    language: "en",
  };
  return pdfCredentialGenerator.render(facts, options, assets);
}

const CONTEXT = "Foundations of Computing";
const DATE = "January 15, 2026";

function textsOf(name: string): [string, number][] {
  return [
    [name, 32],
    [CONTEXT, 28],
    [DATE, 12],
  ];
}

function next(names: Iterator<string>): string {
  return names.next().value;
}

function* latinNames(): Generator<string> {
  faker.seed(1);
  for (;;) yield faker.person.fullName();
}
