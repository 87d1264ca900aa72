import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { openApp } from "#app/app.js";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { readConfig } from "#runtime/settings/config.js";
import { COURSE, givenAcademy } from "./support/academy.js";
import { givenDatabase } from "./support/database.js";
import { givenDirectory } from "./support/directory.js";
import { SETTINGS } from "./support/service.js";

const diplomas = fileURLToPath(new URL("./support/diploma-plugin.js", import.meta.url));

/** A plug-in with a signer whose first attempt to open a key fails. */
const VAULT = `
import { generateKeyPairSync, sign } from "node:crypto";
const { publicKey, privateKey } = generateKeyPairSync("ed25519");
let attempts = 0;
async function open() {
  if (++attempts === 1) throw new Error("the vault is sealed");
  return {
    publicKey: publicKey.export({ type: "spki", format: "pem" }),
    sign: async (bytes) => sign(undefined, bytes, privateKey),
  };
}
export const signers = [{ name: "academy.vault", summary: "A vault.", open }];
`;

describe("a plug-in", () => {
  const academy = givenAcademy({ worker: true, settings: { LEARNING_CREDENTIALS_PLUGINS: diplomas } });

  it("decides who is eligible, and makes the file", async () => {
    const { configurations, credentials } = academy;
    const type = await configurations.createCredentialType({
      credentialType: {
        name: "Diploma",
        retrievalFunc: "academy.processors.attendance",
        generationFunc: "academy.generators.line",
        customOptions: { required_attendance: 0.75, greeting: "Well done" },
      },
    });
    const { id: configurationId } = await configurations.createCredentialConfiguration({
      credentialConfiguration: { learningContextKey: COURSE, credentialTypeId: type.id },
    });
    const issuing = { configurationId, username: "ada" };
    await academy.enrol("ada");
    await expect(credentials.issueCredential(issuing)).rejects.toThrow("completion: 0 of 0.75");

    await academy.report({
      case: "completion",
      value: { username: "ada", courseKey: COURSE, percent: 0.75 },
    });
    const { uuid } = await credentials.issueCredential(issuing);
    let { status } = await credentials.getCredential({ uuid });
    for (; status === CredentialStatus.GENERATING; { status } = await credentials.getCredential({ uuid }))
      await sleep(100);
    expect(status).toBe(CredentialStatus.AVAILABLE);
    const [path = ""] = await academy.filesOf(uuid);
    expect(await readFile(path, "utf8")).toBe("%PDF Well done, Learner ada: Course One");
  });

  it.each([
    [{ required_attendance: 2 }, "required_attendance"],
    [{ required_attendance: 0.5, salutation: "Hi" }, "salutation"],
  ])("has its options checked: %j", async (customOptions, named) => {
    const credentialType = {
      name: "Odd diploma",
      retrievalFunc: "academy.processors.attendance",
      generationFunc: "academy.generators.line",
      customOptions,
    };
    await expect(academy.configurations.createCredentialType({ credentialType })).rejects.toThrow(named);
  });
});

describe("a plug-in is loaded at the start", () => {
  const directory = givenDirectory("plugins");
  const database = givenDatabase();

  function start(plugins: string, settings: Record<string, string> = {}) {
    const config = readConfig({
      DATABASE_URL: database.url,
      DATA_DIR: directory,
      ...SETTINGS,
      LEARNING_CREDENTIALS_PLUGINS: plugins,
      ...settings,
    });
    return openApp(config, pino({ level: "silent" }), "own");
  }

  const line = `name: "academy.line", summary: "A line.", options: { shape: {} }, render() {}`;
  it.each([
    ["throws", `throw new Error("no licence")`, "no licence"],
    ["is no JavaScript", `export const`, "plugin.mjs"],
    [
      "exports nothing",
      `export const other = []`,
      "must export `processors`, `generators`, `signers` or `connectors`",
    ],
    ["exports empty lists", `export const generators = []`, "lists that are not empty"],
    ["exports no list", `export const generators = { line: 1 }`, "as lists"],
    ["holds nothing", `export const processors = [null]`, "not a dotted path"],
    ["has a plain name", `export const generators = [{ name: "line" }]`, '"line" is not a dotted path'],
    ["has no summary", `export const generators = [{ name: "academy.line" }]`, "academy.line has no summary"],
    [
      "has no schema",
      `export const generators = [{ name: "academy.line", summary: "A line.", options: {} }]`,
      "academy.line has no `options`",
    ],
    ["can't render", `export const generators = [{ ${line}, render: 1 }]`, "no method `render`"],
    ["has no criteria", `export const processors = [{ ${line} }]`, "no method `criteria`"],
    [
      "opens nothing",
      `export const signers = [{ name: "academy.vault", summary: "A vault." }]`,
      "academy.vault has no method `open`",
    ],
    ["has a name twice", `export const generators = [{ ${line} }, { ${line} }]`, "academy.line is taken"],
    [
      "has the name of a built-in function",
      `export const generators = [{ ${line}, name: "learning_credentials.generators.generate_pdf_credential" }]`,
      "generate_pdf_credential is taken",
    ],
  ])("and stops it, with its name and the reason, if it %s", async (what, source, reason) => {
    const path = join(directory, `${what.replaceAll(/\W/g, "-")}-plugin.mjs`);
    await writeFile(path, source);
    const refused = start(path);
    await expect(refused).rejects.toThrow(`The plug-in ${path} (LEARNING_CREDENTIALS_PLUGINS) can't be used`);
    await expect(refused).rejects.toThrow(reason);
  });

  it.each(["no-such-package", "./no-such-file.mjs"])(
    "and stops it if it is not there: %s",
    async (specifier) => {
      await expect(start(specifier)).rejects.toThrow(
        `The plug-in ${specifier} (LEARNING_CREDENTIALS_PLUGINS)`,
      );
    },
  );

  it("and its key is opened again after a failure", async () => {
    const path = join(directory, "vault.mjs");
    await writeFile(path, VAULT);
    const app = await start(path, { LOG_KEY_FILE: "academy.vault:log" });
    try {
      await expect(app.openLogSigning()).rejects.toThrow("the vault is sealed");
      const signing = await app.openLogSigning();
      expect(await app.openLogSigning()).toBe(signing);
      expect(await signing?.key.sign("a note")).toHaveLength(64);
    } finally {
      await app.close();
    }
  });
});
