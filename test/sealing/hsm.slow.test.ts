import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import type { Signer } from "#formats/badges/signer.js";
import { readSeal } from "#formats/sealing/sealed-pdf.js";
import { ended, startOn } from "../commands/run-command.js";
import { readBlocks } from "../main/document-blocks.js";
import { readPage } from "../main/documents.js";
import { missingTools, outputOf } from "../rendering/pdf-tools.js";
import { type Academy, openAcademy } from "../support/academy.js";
import { given } from "../support/given.js";
import { expectHealthy } from "../support/health.js";
import { type Authority, openAuthority, SEALER, type SealFiles } from "./authority.js";
import { sealsOf } from "./given-seal.js";

const execute = promisify(execFile);
const missing = await missingTools("softhsm2-util", "pkcs11-tool", "pdfsig", "certutil", "openssl");
const skips = missing.length > 0 && process.env.CI !== "true";

const PIN = "1234";
/** The kind of key in the documentation, and the other kind. Each is in a token of its own. */
const TOKENS = { "P-256": ["seals", "EC:prime256v1"], "RSA-2048": ["rsa-seals", "rsa:2048"] } as const;
type Kind = keyof typeof TOKENS;
const KINDS = Object.keys(TOKENS) as Kind[];

/** Tokens of SoftHSM that are created according to the page on sealing, and the page's plug-in. */
interface Fixture {
  readonly authority: Authority;
  readonly academy: Academy;
  readonly plugin: string;
  readonly signers: readonly Signer[];
  readonly settings: Readonly<Record<string, string>>;
  readonly certificates: ReadonlyMap<Kind, string>;
}

describe.skipIf(skips)("the page on sealing: a key in SoftHSM seals", () => {
  const fixture = given<Fixture>(open, async ({ academy, authority }) => {
    for (const name of Object.keys(fixture.settings)) delete process.env[name];
    await academy.service.stop();
    await authority.remove();
  });

  async function open(): Promise<Fixture> {
    const authority = await openAuthority({ nss: true });
    const at = (name: string) => join(authority.directory, name);
    await mkdir(at("tokens"));
    await writeFile(at("softhsm2.conf"), `directories.tokendir = ${at("tokens")}\n`);
    await writeFile(at("pin"), PIN);
    const blocks = readBlocks(await readPage("sealing")).map(({ text }) => text);
    const blockWith = (words: string) => blocks.find((text) => text.includes(words)) ?? "";
    await writeFile(at("hsm.mjs"), blockWith("export const signers"));
    const commands = blockWith("--keypairgen").replace("/run/secrets/pin", at("pin"));
    const [, module = ""] = /PKCS11_MODULE=(\S+)/.exec(commands) ?? [];
    const settings = {
      SOFTHSM2_CONF: at("softhsm2.conf"),
      PKCS11_MODULE: module,
      PKCS11_PIN: PIN,
      PKCS11_TOKEN: "",
    };
    const env = { ...process.env, ...settings };
    const certificates = new Map<Kind, string>();
    for (const [kind, [token, type]] of Object.entries(TOKENS) as [Kind, (typeof TOKENS)[Kind]][]) {
      const begin = ["--init-token", "--free", "--label", token, "--so-pin", "5678", "--pin", PIN];
      await execute("softhsm2-util", begin, { env });
      const own = commands
        .replace(`PKCS11_TOKEN=${TOKENS["P-256"][0]}`, `PKCS11_TOKEN=${token}`)
        .replace(TOKENS["P-256"][1], type)
        .replace("seal.csr", `${token}.csr`);
      await execute("sh", ["-ec", own], { env, cwd: authority.directory });
      certificates.set(kind, (await authority.answer(token)).certFile);
    }
    const { signers } = (await import(pathToFileURL(at("hsm.mjs")).href)) as { signers: Signer[] };
    Object.assign(process.env, settings);
    return {
      authority,
      academy: await openAcademy(),
      plugin: at("hsm.mjs"),
      signers,
      settings,
      certificates,
    };
  }

  afterEach(async () => {
    Object.assign(process.env, fixture.settings);
    await rename(tokens("away"), tokens("")).catch(() => undefined);
  });

  const tokens = (suffix: string) => join(fixture.authority.directory, `tokens${suffix}`);

  /** The settings of a key according to the page. */
  function filesOf(kind: Kind): SealFiles {
    return { certFile: fixture.certificates.get(kind) ?? "", keyFile: "academy.signers.hsm:seal" };
  }

  async function openSealsOf(kind: Kind) {
    process.env.PKCS11_TOKEN = TOKENS[kind][0];
    const seals = await sealsOf({ seal: filesOf(kind), signers: fixture.signers });
    return { openSeals: async () => seals };
  }

  async function issued(username: string): Promise<{ uuid: string; id: number }> {
    const { academy } = fixture;
    await academy.enrol(username);
    const { configurationId } = academy;
    const { uuid } = await academy.credentials.issueCredential({ configurationId, username });
    return { uuid, id: await academy.idOf(uuid) };
  }

  async function verdictsOn(uuid: string): Promise<{ pdfsig: string; cms: string }> {
    const { authority, academy } = fixture;
    const [path = ""] = await academy.filesOf(uuid);
    const bytes = await readFile(path);
    const range = /\/ByteRange \[0 (\d+) (\d+) \d+\]/.exec(bytes.toString("latin1")) ?? [];
    const [, from, to] = range.map(Number);
    const [cms, data] = [join(authority.directory, "cms"), join(authority.directory, "data")];
    await writeFile(cms, readSeal(bytes)?.cms ?? "");
    await writeFile(data, Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]));
    const { stderr } = await execute("openssl", [
      ..."cms -verify -cades -binary -purpose any -inform DER -out /dev/null".split(" "),
      ...["-in", cms, "-content", data, "-CAfile", authority.caFile],
    ]);
    return { pdfsig: await outputOf("pdfsig", "-nssdir", authority.nss, path), cms: stderr };
  }

  test.each(KINDS)("%s, as poppler and openssl see it", async (kind) => {
    const { academy } = fixture;
    const { uuid, id } = await issued(`ana-${kind}`);
    await academy.generate(id, await openSealsOf(kind));
    const { pdfsig, cms } = await verdictsOn(uuid);
    for (const words of ["Signature is Valid.", "Certificate is Trusted.", "Total document signed", SEALER])
      expect(pdfsig).toContain(words);
    expect(cms).toContain("CAdES Verification successful");
    await expectHealthy(academy.service);
  });

  test.each<[string, () => unknown, RegExp]>([
    ["another PIN", () => Object.assign(process.env, { PKCS11_PIN: "4321" }), /CKR_PIN_INCORRECT/],
    ["no token", () => rename(tokens(""), tokens("away")), /CKR_/],
    ["no library", () => Object.assign(process.env, { PKCS11_MODULE: "/nowhere.so" }), /nowhere\.so/],
  ])(
    "with %s while it runs, nothing is published, and the missing part is named",
    async (what, take, why) => {
      const { academy } = fixture;
      for (const kind of KINDS) {
        const { uuid, id } = await issued(`bea-${kind}-${what.replaceAll(" ", "-")}`);
        const parts = await openSealsOf(kind);
        await take();
        await expect(academy.generate(id, parts)).rejects.toMatchObject({
          kind: "unavailable",
          message: expect.stringMatching(why),
        });
        const { knex } = academy.service.app.database;
        const { status } = await knex("credentials").where({ uuid }).first("status");
        expect([status, await academy.filesOf(uuid)]).toEqual(["generating", []]);
        Object.assign(process.env, fixture.settings, { PKCS11_TOKEN: TOKENS[kind][0] });
        await rename(tokens("away"), tokens("")).catch(() => undefined);
        await academy.generate(id, parts);
        expect((await verdictsOn(uuid)).pdfsig).toContain("Signature is Valid.");
      }
    },
  );

  function startWorker(further: Record<string, string> = {}) {
    const { academy, settings, plugin } = fixture;
    const { config, database } = academy.service.app;
    const { certFile, keyFile } = filesOf("P-256");
    return startOn(
      {
        ...settings,
        DATABASE_URL: database.url,
        DATA_DIR: config.dataDir,
        LEARNING_CREDENTIALS_PLUGINS: plugin,
        PDF_SEAL_CERT_FILE: certFile,
        PDF_SEAL_KEY_FILE: keyFile,
        PKCS11_TOKEN: TOKENS["P-256"][0],
        ...further,
      },
      ["worker"],
    );
  }

  test.each([
    [{ PKCS11_PIN: "4321" }, "can't be used: error: PKCS11 function C_Login failed: rv = CKR_PIN_INCORRECT"],
    [{ PKCS11_TOKEN: "others" }, "can't be used: "],
    [{ PKCS11_TOKEN: TOKENS["RSA-2048"][0] }, "is not the key of the first certificate"],
  ])("a worker with %j does not start, and gives the reason", async (wrong, why) => {
    const { code, err } = await ended(startWorker(wrong));
    expect(code).not.toBe(0);
    expect(err).toContain(`PDF_SEAL_KEY_FILE: academy.signers.hsm:seal ${why}`);
    expect(err).not.toContain("4321");
  });

  test("a worker seals", async () => {
    const { academy } = fixture;
    const uuids: string[] = [];
    for (let made = 0; made < 10; made++) uuids.push((await issued(`cid-${made}`)).uuid);
    const worker = startWorker();
    const { knex } = academy.service.app.database;
    const available = () => knex("credentials").whereIn("uuid", uuids).where({ status: "available" });
    await expect.poll(async () => (await available()).length, { timeout: 200_000 }).toBe(uuids.length);
    worker.kill("SIGTERM");
    await once(worker, "exit");
    for (const uuid of uuids) expect((await verdictsOn(uuid)).pdfsig).toContain("Signature is Valid.");
    await expectHealthy(academy.service);
  });
});
