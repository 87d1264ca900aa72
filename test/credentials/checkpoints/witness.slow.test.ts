import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { witnessName } from "#domain/credentials/checkpoints/log-urls.js";
import {
  type PublishingDeps,
  publishCheckpoint,
} from "#domain/credentials/checkpoints/publish-checkpoint.js";
import { openLogSigning, openWitnessSigning, verifierKey } from "#domain/keys/log-signing.js";
import { newSigningKey } from "#formats/badges/signing-key.js";
import { checkpointText, readCheckpoint } from "#formats/transparency/checkpoint.js";
import { leafHash } from "#formats/transparency/inclusion.js";
import { consistencyProof, EMPTY_ROOT, nodeHash, splitOf } from "#formats/transparency/merkle.js";
import { type NoteKey, readKey, signatureLine, writeKey } from "#formats/transparency/note.js";
import { readPolicy } from "#formats/transparency/policy.js";
import { verifyNote } from "#formats/transparency/verify-note.js";
import { given } from "../../support/given.js";
import { startTestService, type TestService } from "../../support/service.js";
import { seal } from "../events/chain.js";
import { asOwner, remake } from "./forge.js";

/** A university with a log, which is also a witness. */
interface University {
  readonly service: TestService;
  readonly logKey: string;
  readonly witnessKey: string;
}

const ownKey = generateKeyPairSync("ed25519");
/** A log that belongs to the tests, witnessed by the first university. */
const own = keyOf("log.test", ownKey.publicKey);

function keyOf(name: string, publicKey: KeyObject): NoteKey {
  const { x = "" } = publicKey.export({ format: "jwk" });
  return { name, kind: "log", publicKey: Buffer.from(x, "base64url") };
}

const place = given<{ directory: string; north: University; south: University }>(
  async () => {
    const directory = await mkdtemp(join(tmpdir(), "witnesses-"));
    const keys = await Promise.all(["north", "south"].map((name) => keysOf(directory, name)));
    const [north, south] = keys;
    if (!north || !south) throw new Error("there are two");
    return {
      directory,
      north: await open(directory, north, [south.logKey, writeKey(own)]),
      south: await open(directory, south, [north.logKey]),
    };
  },
  async ({ directory, north, south }) => {
    await north.service.stop();
    await south.service.stop();
    await rm(directory, { recursive: true });
  },
);

async function keysOf(directory: string, name: string) {
  const settings = {
    PUBLIC_URL: `https://${name}.test`,
    LOG_KEY_FILE: join(directory, `${name}-log.pem`),
    WITNESS_KEY_FILE: join(directory, `${name}-witness.pem`),
    LOG_POLICY_FILE: join(directory, `${name}-policy`),
  };
  for (const file of [settings.LOG_KEY_FILE, settings.WITNESS_KEY_FILE])
    await writeFile(file, newSigningKey("Ed25519"));
  const files = {
    logKeyFile: settings.LOG_KEY_FILE,
    witnessKeyFile: settings.WITNESS_KEY_FILE,
    logPolicyFile: undefined,
  };
  const log = await openLogSigning({ ...files, timestamps: NO_TSA }, [], quiet);
  const witness = await openWitnessSigning(files, []);
  if (!log || !witness) throw new Error("the settings name no keys");
  return {
    settings,
    logKey: verifierKey(log.key, `${name}.test/log`, "log"),
    witnessKey: verifierKey(witness.key, witnessName(settings.PUBLIC_URL), "witness"),
  };
}

const NO_TSA = { level: "off" as const, urls: [] as string[], caFile: undefined };
const quiet = { log: { warn() {} }, timestamp() {} };

async function open(
  _directory: string,
  { settings, ...keys }: Awaited<ReturnType<typeof keysOf>>,
  logs: readonly string[],
): Promise<University> {
  await writeFile(settings.LOG_POLICY_FILE, `${logs.map((key) => `log ${key}\n`).join("")}quorum none\n`);
  return { ...keys, service: await startTestService({ settings }) };
}

/** Returns the dependencies for publishing the log of one university with another one as its witness. */
async function publishingOf(
  { service: { app } }: University,
  witness: University,
  failures: string[] = [],
  url = `${witness.service.httpUrl}/witness`,
): Promise<PublishingDeps> {
  const path = join(place.directory, "witnesses");
  await writeFile(path, `witness w ${witness.witnessKey} ${url}\nquorum w\n`);
  const warn = (about: object, message: string) =>
    void failures.push(`${message}: ${(about as { err: Error }).err.message}`);
  const settings = { ...app.config, logPolicyFile: path, timestamps: NO_TSA };
  const signing = await openLogSigning(settings, [], { log: { warn }, timestamp() {} });
  if (!signing) throw new Error("the settings name no key");
  return { ...app, outputDir: app.config.outputDir, publicUrl: app.publicUrl, signing };
}

const { signal } = new AbortController();
const publish = (deps: PublishingDeps) => publishCheckpoint(deps, signal, { isDue: () => true });
const knexOf = ({ service }: University) => service.app.database.knex;
const latestOf = async ({ service }: University) => (await fetch(`${service.httpUrl}/log/checkpoint`)).text();
const isCosigned = async (log: University, witness: University) =>
  verifyNote(readCheckpoint(await latestOf(log)).note, readKey(witness.witnessKey)).verdict;

test("two universities witness each other while their logs grow", async () => {
  const { north, south } = place;
  for (const [log, witness] of [
    [north, south],
    [south, north],
  ] as const) {
    const deps = await publishingOf(log, witness);
    for (const count of [1, 6, 300, 700]) {
      await seal(knexOf(log), count);
      await publish(deps);
      expect(await isCosigned(log, witness)).toBe("signed");
    }
    expect(readCheckpoint(await latestOf(log)).size).toBe(1007);
  }
  const { time = 0 } = verifyNote(readCheckpoint(await latestOf(north)).note, readKey(south.witnessKey));
  expect(Math.abs(Date.now() / 1000 - time)).toBeLessThan(120);
});

test("an unavailable witness does no harm, and cosigns when it is back, even if it has lost our log", async () => {
  const { north, south } = place;
  const failures: string[] = [];
  const away = await publishingOf(north, south, failures, "http://127.0.0.1:9/witness");
  await seal(knexOf(north), 10);
  expect((await publish(away))?.size).toBe(1017);
  await publish(away);
  expect(failures).toEqual(["witness did not return a cosignature: fetch failed"]);
  expect(await isCosigned(north, south)).toBe("unsigned");
  await asOwner(knexOf(south), "delete from witnessed_logs");
  await publish(await publishingOf(north, south));
  expect(await isCosigned(north, south)).toBe("signed");
});

test("a witness refuses a rewritten history, whatever the owner of the database does", async () => {
  const { north, south } = place;
  await asOwner(knexOf(north), remake(500));
  await asOwner(
    knexOf(north),
    "delete from log_cosignatures; delete from log_timestamps; delete from log_checkpoints; delete from transparency_logs",
  );
  const { dataDir, outputDir } = north.service.app.config;
  await rm(join(dataDir, "files", `${outputDir}_log`), { recursive: true });
  await seal(knexOf(north), 1);
  const failures: string[] = [];
  expect((await publish(await publishingOf(north, south, failures)))?.size).toBe(1018);
  expect(failures).toEqual(["witness did not return a cosignature: The witness responded with status 422."]);
  expect(await isCosigned(north, south)).toBe("unsigned");
});

const leaves = Array.from({ length: 40 }, (_, index) => leafHash(Buffer.from(`${index}`)));
const rootOf = (from: number, to: number): Buffer => {
  if (to === from) return EMPTY_ROOT;
  if (to - from === 1) return leaves[from] as Buffer;
  const middle = from + splitOf(to - from);
  return nodeHash(rootOf(from, middle), rootOf(middle, to));
};

function signed(
  size: number,
  { root = rootOf(0, size), origin = own.name, key = ownKey.privateKey } = {},
): string {
  const text = checkpointText({ origin, size, root });
  return `${text}\n${signatureLine({ ...own, name: origin }, sign(null, Buffer.from(text), key))}`;
}

async function add(old: number, note: string, proof?: readonly Buffer[]) {
  const to = Number(note.split("\n")[1]);
  const hashes =
    proof ?? (await consistencyProof(Math.min(old, to), to, async (from, end) => rootOf(from, end)));
  const body = `old ${old}\n${hashes.map((hash) => `${hash.toString("base64")}\n`).join("")}\n${note}`;
  return post(body);
}

async function post(body: string) {
  const response = await fetch(`${place.north.service.httpUrl}/witness/add-checkpoint`, {
    method: "POST",
    body,
  });
  const type = response.headers.get("content-type");
  return { status: response.status, body: await response.text(), type };
}

test("requests are refused as the specification says, and only one of several simultaneous ones is accepted", async () => {
  const other = generateKeyPairSync("ed25519").privateKey;
  expect((await add(0, signed(5, { origin: "other.test" }))).status).toBe(404);
  expect((await add(0, signed(5, { key: other }))).status).toBe(403);
  expect((await add(6, signed(5))).status).toBe(400);
  for (const wrong of [
    "",
    "old 0\n",
    `old 00\n\n${signed(5)}`,
    `old 0\n\n${signed(5).slice(0, -10)}`,
    "old 0\n\nno\n",
  ])
    expect((await post(wrong)).status, wrong).toBe(400);
  expect(await add(3, signed(5))).toEqual({ status: 409, body: "0\n", type: "text/x.tlog.size" });
  // Sizes and proofs from torchwood's tests: internal/witness/witness_test.go, TestZeroSize, TestTooManyProofs,
  // 1cadf595.
  expect((await add(0, signed(5), Array(64).fill(leaves[0]))).status).toBe(400);
  for (const size of [0, 5]) expect((await add(0, signed(size), [leaves[0] as Buffer])).status).toBe(422);
  expect((await add(0, signed(0, { root: leaves[0] as Buffer }))).status).toBe(409);
  expect((await add(0, signed(0))).status).toBe(200);

  const first = await add(0, signed(5));
  expect(first.status).toBe(200);
  const note = readCheckpoint(signed(5) + first.body).note;
  expect(verifyNote(note, readKey(place.north.witnessKey)).verdict).toBe("signed");
  expect((await add(5, signed(5))).status).toBe(200);
  // "If the old size matches the checkpoint size, the witness MUST check that the root hashes are also identical. If
  // they don't match, the witness MUST respond with a 409" (C2SP tlog-witness).
  const other5 = await add(5, signed(5, { root: leaves[1] as Buffer }), []);
  expect(other5).toEqual({ status: 409, body: "5\n", type: "text/x.tlog.size" });
  expect((await add(5, signed(9, { root: leaves[1] as Buffer }))).status).toBe(422);
  expect((await add(5, signed(9), [])).status).toBe(422);

  const meeting = await Promise.all(Array.from({ length: 20 }, (_, index) => add(5, signed(10 + index))));
  expect(meeting.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(meeting.filter(({ status }) => status === 409)).toHaveLength(19);
  const get = await fetch(`${place.north.service.httpUrl}/witness/add-checkpoint`);
  expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
  expect((await post("x".repeat(40_000))).status).toBe(413);
});

test("a policy combines witnesses by its groups, and is refused if it contradicts itself", () => {
  const { north, south } = place;
  const three = `witness a ${north.witnessKey}\nwitness b ${south.witnessKey} https://b.test/witness/\n`;
  const policy = readPolicy(`# ours\nlog ${north.logKey}\n${three}group both all a b\nquorum both\n`);
  expect(policy.witnesses.map(({ url }) => url)).toEqual([undefined, "https://b.test/witness"]);
  expect(policy.isMetBy(new Set(["a"]))).toBe(false);
  expect(policy.isMetBy(new Set(["a", "b"]))).toBe(true);
  expect(readPolicy(`${three}group one any a b\nquorum one\n`).isMetBy(new Set(["b"]))).toBe(true);
  for (const [wrong, why] of [
    [three, "sets no quorum"],
    [`${three}quorum c\n`, 'line 3 names "c", which no line above defines'],
    [`${three}witness c ${north.witnessKey}\nquorum a\n`, "line 3 names a key twice"],
    [`${three}group g any\nquorum g\n`, "line 3 must name the members of the group"],
    [`witness none ${north.witnessKey}\nquorum none\n`, 'line 1 defines the reserved name "none"'],
    [`${three}group a all b\nquorum a\n`, 'line 3 defines "a" again'],
    [`${three}group g 3 a b\nquorum g\n`, "line 3 must require all, any or 1 to 2 members, not 3"],
    [`log ${north.witnessKey}\nquorum none\n`, "line 1 names the key of a witness, not of a log"],
    ["log x\nquorum none\n", "line 1 names a key that is not of the form"],
    ["quorum none\nquorum none\n", "line 2 sets the quorum again"],
    ["key x\nquorum none\n", "line 1 is not a valid log, witness, group or quorum line"],
  ] as const)
    expect(() => readPolicy(wrong)).toThrow(why);
});
