import { createPrivateKey, createPublicKey, sign, X509Certificate } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { afterEach, expect, test } from "vitest";
import type { Seals } from "#domain/keys/seals.js";
import { unbakePdf } from "#formats/badges/unbake-pdf.js";
import { readSeal } from "#formats/sealing/sealed-pdf.js";
import {
  type Authority,
  openAuthority,
  openTsa,
  SEALER,
  type SealFiles,
  type Tsa,
} from "../../sealing/authority.js";
import { sealsOf } from "../../sealing/given-seal.js";
import { type Academy, openAcademy } from "../../support/academy.js";
import { given } from "../../support/given.js";
import { expectHealthy, findingsOn, repairOf } from "../../support/health.js";

const place = given<{ authority: Authority; tsa: Tsa; academy: Academy; seal: SealFiles }>(
  async () => {
    const authority = await openAuthority();
    const tsa = await openTsa(authority.directory, await authority.issueTsa("tsa"));
    const seal = await authority.issue("seal", "P-256");
    const settings = {
      PDF_SEAL_CERT_FILE: seal.certFile,
      PDF_SEAL_KEY_FILE: seal.keyFile,
      TSA_URLS: tsa.url,
      TSA_CA_FILE: authority.caFile,
      ADMIN_PORT: "0", // without it, metrics are not measured
    };
    return { authority, tsa, seal, academy: await openAcademy({ signs: true, settings }) };
  },
  async ({ authority, tsa, academy }) => {
    await academy.service.stop();
    await tsa.close();
    await authority.remove();
  },
);

afterEach(() => {
  place.tsa.instead = undefined;
});

const OLD = "Northern Institute";

async function issued(username: string): Promise<{ uuid: string; verifyUuid: string; id: number }> {
  const { academy } = place;
  await academy.enrol(username);
  const { uuid, verifyUuid } = await academy.issue(username);
  return { uuid, verifyUuid, id: await academy.idOf(uuid) };
}

async function fileOf(uuid: string): Promise<{ path: string; bytes: Buffer }> {
  const [path = ""] = await place.academy.filesOf(uuid);
  return { path, bytes: await readFile(path) };
}

const rowOf = (uuid: string) =>
  place.academy.service.app.database.knex("credential_seals").where({ credential_uuid: uuid }).first();

const statusOf = async (uuid: string) =>
  (await place.academy.service.app.database.knex("credentials").where({ uuid }).first("status")).status;

const pageOf = async (verifyUuid: string) =>
  (await fetch(`${place.academy.service.httpUrl}/verify/${verifyUuid}/`)).text();

/** Opens seals with other settings. */
const opened = async (settings: Parameters<typeof sealsOf>[0]) => {
  const seals = await sealsOf(settings);
  return { openSeals: async (): Promise<Seals | undefined> => seals };
};

test("a file is sealed and timestamped, its badge is in it, the page names the sealer, and doctor finds no faults", async () => {
  const { academy } = place;
  const { uuid, verifyUuid, id } = await issued("ana");
  await academy.generate(id);
  const { bytes } = await fileOf(uuid);
  const seal = readSeal(bytes);
  expect(seal?.certificate.subjectName).toContain(SEALER);
  expect(seal?.timestamp?.certificate.subjectName).toContain("Test TSA");
  expect(unbakePdf(bytes)).toContain('"proof"');
  expect(await rowOf(uuid)).toMatchObject({ cms: seal?.cms, timestamped_at: seal?.timestamp?.time });
  const page = await pageOf(verifyUuid);
  expect(page).toContain(`<dt>PDF sealed by</dt><dd><bdi>${SEALER}, Harbour Light Academy</bdi></dd>`);
  await expectHealthy(academy.service);
});

test("metrics report when the certificate expires, and count the responses of authorities", async () => {
  const { academy, seal } = place;
  const { app } = academy.service;
  await academy.generate((await issued("max")).id);
  const reported = async (name: string) =>
    new RegExp(`^learning_credentials_${name} (\\d+)$`, "m").exec(await app.metrics.text())?.[1];
  const { validTo } = new X509Certificate(await readFile(seal.certFile));
  const end = await reported('seal_certificate_end_timestamp_seconds\\{organisation=""\\}');
  expect(Number(end)).toBe(Date.parse(validTo) / 1000);
  const given = async () => Number(await reported('timestamps_total\\{outcome="given"\\}'));
  const before = await given();
  await academy.generate((await issued("mia")).id);
  expect(await given()).toBe(before + 1);
});

test("a lost file is restored byte by byte, without key and authority", async () => {
  const { academy, tsa } = place;
  const { app } = academy.service;
  const { uuid, id } = await issued("bea");
  await academy.generate(id);
  const { path, bytes } = await fileOf(uuid);
  await rm(path);
  const requested = tsa.requests;
  const openSeals = () => Promise.reject(new Error("there is no key here"));
  const repair = repairOf({ ...app, openSeals });
  expect(await repair({ kind: "missing-file", credentialUuid: uuid, detail: "" })).toBe("repaired");
  expect((await fileOf(uuid)).bytes.equals(bytes)).toBe(true);
  expect(tsa.requests).toBe(requested);
});

test("an authority that sends a false token prevents the timestamp, not the document", async () => {
  const { academy, authority, tsa, seal } = place;
  const warnings: { about: Record<string, unknown>; message: string }[] = [];
  tsa.instead = (_, response) => void response.setHeader("content-type", "text/html").end("<p>Hello");
  const { uuid, id } = await issued("cid");
  await academy.generate(id, await opened({ seal, urls: [tsa.url], caFile: authority.caFile, warnings }));
  const read = readSeal((await fileOf(uuid)).bytes);
  expect([read?.certificate.subjectName, read?.timestamp]).toEqual([
    expect.stringContaining(SEALER),
    undefined,
  ]);
  expect(warnings).toMatchObject([
    { message: "timestamp authority did not return a timestamp", about: { tsa: tsa.url } },
  ]);
  expect(await rowOf(uuid)).toMatchObject({ timestamped_at: null });
});

test("if timestamps are required, a document waits for one, however often it is tried", async () => {
  const { academy, authority, tsa, seal } = place;
  tsa.instead = (_, response) => void response.writeHead(503).end();
  const { uuid, id } = await issued("dan");
  const settings = { seal, level: "required" as const, urls: [tsa.url], caFile: authority.caFile };
  const parts = await opened(settings);
  for (const isLastAttempt of [false, true]) {
    const generated = academy.generate(id, { ...parts, isLastAttempt });
    await expect(generated).rejects.toMatchObject({ kind: "unavailable", outage: "timestamps" });
  }
  await expect((await parts.openSeals())?.check()).rejects.toMatchObject({ outage: "timestamps" });
  expect([await statusOf(uuid), await academy.filesOf(uuid)]).toEqual(["generating", []]);
  tsa.instead = undefined;
  await academy.generate(id, await opened(settings));
  expect(readSeal((await fileOf(uuid)).bytes)?.timestamp).toBeDefined();
});

test.each<[string, (bytes: Uint8Array, key: Buffer) => Promise<unknown>, string]>([
  [
    "garbage",
    async () => Buffer.alloc(64, 7),
    "now: the new seal has a signature that was not made with the key of its certificate.",
  ],
  ["nothing", async () => undefined, "now: the signer returned no signature."],
  [
    "a signature of something else",
    async (_, key) => sign("sha256", Buffer.from("else"), createPrivateKey(key)),
    "was not made with the key of its certificate",
  ],
  ["an error", () => Promise.reject(new Error("the vault is closed")), "the vault is closed"],
])("a signer that responds with %s publishes nothing", async (name, answer, why) => {
  const { academy, seal } = place;
  const key = await readFile(seal.keyFile);
  let isHonest = true;
  const vault = {
    name: "a.vault",
    summary: "",
    open: async () => ({
      publicKey: createPublicKey(createPrivateKey(key)).export({ type: "spki", format: "pem" }) as string,
      sign: async (bytes: Uint8Array) =>
        isHonest ? sign("sha256", bytes, createPrivateKey(key)) : ((await answer(bytes, key)) as Uint8Array),
    }),
  };
  const parts = await opened({ seal: { ...seal, keyFile: "a.vault:seal" }, signers: [vault] });
  isHonest = false;
  const { uuid, id } = await issued(`eva-${name.replaceAll(" ", "-")}`);
  await expect(academy.generate(id, parts)).rejects.toMatchObject({
    kind: "unavailable",
    message: expect.stringContaining(why),
  });
  expect([await statusOf(uuid), await academy.filesOf(uuid), await rowOf(uuid)]).toEqual([
    "generating",
    [],
    undefined,
  ]);
  isHonest = true;
  await academy.generate(id, parts);
  expect(readSeal((await fileOf(uuid)).bytes)).toBeDefined();
});

test("an attempt that was superseded leaves neither file nor seal of its own", async () => {
  const { academy } = place;
  const { uuid, id } = await issued("fay");
  const { files } = academy.service.app;
  let isFirst = true;
  await academy.generate(id, {
    files: {
      async put(...file) {
        await files.put(...file);
        if (!isFirst) return;
        isFirst = false;
        await academy.generate(id);
      },
    },
  });
  const { bytes } = await fileOf(uuid);
  expect(await academy.filesOf(uuid)).toHaveLength(1);
  expect((await rowOf(uuid)).cms).toEqual(readSeal(bytes)?.cms);
});

test("an erasure removes the seal", async () => {
  const { academy } = place;
  const { uuid, id } = await issued("gil");
  await academy.generate(id);
  expect(await rowOf(uuid)).toBeDefined();
  await academy.records.eraseLearner({ username: "gil" });
  expect(await rowOf(uuid)).toBeUndefined();
});

test("doctor finds a seal that differs from the recorded one, and counts those whose certificate has expired", async () => {
  const { academy } = place;
  const { app } = academy.service;
  const [one, other] = [await issued("hal"), await issued("ida")];
  await academy.generate(one.id);
  await academy.generate(other.id);
  const seals = () => app.database.knex("credential_seals");
  const { cms, valid_until } = await rowOf(one.uuid);
  await seals()
    .where({ credential_uuid: one.uuid })
    .update({ cms: (await rowOf(other.uuid)).cms, valid_until: new Date(0) });
  expect(await findingsOn(app)).toMatchObject([
    { kind: "ended-seal", detail: `1 file is sealed by ${SEALER}, Harbour Light Academy` },
    {
      kind: "mismatched-seal",
      credentialUuid: one.uuid,
      detail: expect.stringContaining("is not the recorded one"),
    },
  ]);
  await seals().where({ credential_uuid: one.uuid }).update({ cms, valid_until });

  const { path, bytes } = await fileOf(other.uuid);
  const changed = Buffer.from(bytes);
  changed[5_000] = (changed[5_000] ?? 0) ^ 1;
  await writeFile(path, changed);
  const found = await findingsOn(app);
  expect(found.map(({ kind }) => kind).sort()).toEqual(["damaged-file", "mismatched-seal"]);
  expect(await repairOf(app)({ kind: "damaged-file", credentialUuid: other.uuid, detail: "" })).toBe(
    "repaired",
  );
  expect(await findingsOn(app)).toEqual([]);
});

test("an organisation with its own seal seals its documents; others get the service's", async () => {
  const { academy, authority, seal } = place;
  const own = await authority.issue("own", "P-256", { subject: `/O=${OLD}/CN=Office of the Registrar` });
  const { knex } = academy.service.app.database;
  const [its, ours] = [await issued("jan"), await issued("kim")];
  await knex("credentials")
    .where({ uuid: its.uuid })
    .update({
      print_settings: knex.raw(`print_settings || '{"issuer": {"organisation": "Uni", "name": "Uni"}}'`),
    });
  const withoutBadge = { makeDocumentBadge: async () => undefined };
  const parts = { ...withoutBadge, ...(await opened({ seal, issuers: { Uni: own } })) };
  await academy.generate(its.id, parts);
  await academy.generate(ours.id, parts);
  const sealerOf = async (uuid: string) => readSeal((await fileOf(uuid)).bytes)?.certificate.subjectName;
  expect(await sealerOf(its.uuid)).toBe(`Office of the Registrar, ${OLD}`);
  expect(await sealerOf(ours.uuid)).toContain(SEALER);
});

test("without a seal nothing is sealed, and the page mentions none", async () => {
  const { academy } = place;
  const { uuid, verifyUuid, id } = await issued("lea");
  await academy.generate(id, { openSeals: async () => undefined });
  expect(readSeal((await fileOf(uuid)).bytes)).toBeUndefined();
  expect(await pageOf(verifyUuid)).not.toContain("sealed");
});
