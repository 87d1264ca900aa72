import { execFile } from "node:child_process";
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";
import {
  continueLog,
  type PublishingDeps,
  publishCheckpoint,
} from "#domain/credentials/checkpoints/publish-checkpoint.js";
import { removeOldEvents } from "#domain/credentials/events/remove-old-events.js";
import { openLogSigning } from "#domain/keys/log-signing.js";
import { newSigningKey } from "#formats/badges/signing-key.js";
import { readCheckpoint } from "#formats/transparency/checkpoint.js";
import { leafHash } from "#formats/transparency/inclusion.js";
import { readKey } from "#formats/transparency/note.js";
import { readTilePath, TreeEdge, widthIn } from "#formats/transparency/tiles.js";
import { verifyNote } from "#formats/transparency/verify-note.js";
import type { FileStore } from "#infrastructure/files/file-store.js";
import { type Authority, openAuthority, openTsa, type Tsa } from "../../sealing/authority.js";
import { given } from "../../support/given.js";
import { findingsOn } from "../../support/health.js";
import { startTestService, type TestService } from "../../support/service.js";
import { buildGo } from "../../transparency/build-go.js";
import { seal, sealAll } from "../events/chain.js";
import { asOwner, remake } from "./forge.js";

const execute = promisify(execFile);

interface Place {
  authority: Authority;
  tsa: Tsa;
  second: Tsa;
  service: TestService;
  deps: PublishingDeps;
  warnings: string[];
}

const place = given<Place>(
  async () => {
    const authority = await openAuthority();
    const tsa = await openTsa(authority.directory, await authority.issueTsa("tsa"));
    const second = await openTsa(authority.directory, await authority.issueTsa("second"));
    const keyFile = join(authority.directory, "log.pem");
    await writeFile(keyFile, newSigningKey("Ed25519"));
    const settings = {
      LOG_KEY_FILE: keyFile,
      TSA_URLS: `${tsa.url},${second.url}`,
      TSA_CA_FILE: authority.caFile,
      ADMIN_PORT: "0", // without it, metrics are not measured
    };
    const service = await startTestService({ settings });
    const { app } = service;
    const warnings: string[] = [];
    const signing = await openLogSigning(app.config, [], {
      log: { warn: (_, message) => void warnings.push(message) },
      timestamp() {},
    });
    if (!signing) throw new Error("the settings name no key");
    const { outputDir } = app.config;
    const deps = { ...app, outputDir, publicUrl: app.publicUrl, signing };
    return { authority, tsa, second, service, deps, warnings };
  },
  async ({ authority, tsa, second, service }) => {
    await service.stop();
    await tsa.close();
    await second.close();
    await authority.remove();
  },
);

const { signal } = new AbortController();
const always = { isDue: () => true };
const publish = (files?: Partial<FileStore>) =>
  publishCheckpoint({ ...place.deps, files: { ...place.deps.files, ...files } }, signal, always);
const knex = () => place.service.app.database.knex;
const get = (path: string) => fetch(`${place.service.httpUrl}/log/${path}`);
const bytesOf = async (path: string) => Buffer.from(await (await get(path)).arrayBuffer());
const logFindings = async () => {
  const { caFile } = place.authority;
  const found = await findingsOn(place.service.app, { anchorsFile: caFile });
  return found.filter(({ kind }) => /checkpoint|log|chain|unpublished/.test(kind));
};

const behindTriggers = (sql: string) => asOwner(knex(), sql);

afterEach(() => {
  place.tsa.instead = undefined;
  place.second.instead = undefined;
});

test("a checkpoint is signed and timestamped by two authorities, and its tiles contain all events", async () => {
  await seal(knex(), 300);
  const published = await publish();
  expect(published?.size).toBe(300);
  const response = await get("checkpoint");
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const note = await response.text();
  const { origin, size, root, note: read } = readCheckpoint(note);
  expect({ origin, size }).toEqual({ origin: "credentials.test/log", size: 300 });
  const index = (await (await get("")).json()) as {
    verifier_key: string;
    checkpoints: { timestamps: { tsa: string; url: string }[] }[];
  };
  expect(verifyNote(read, readKey(index.verifier_key)).verdict).toBe("signed");

  const entries = [
    ...entriesIn(await bytesOf("tile/entries/000")),
    ...entriesIn(await bytesOf("tile/entries/001.p/44")),
  ];
  const edge = new TreeEdge();
  edge.append(Buffer.concat(entries.map(leafHash)));
  expect(edge.root().equals(root)).toBe(true);
  expect(await bytesOf("tile/0/000")).toEqual(Buffer.concat(entries.slice(0, 256).map(leafHash)));
  expect(await bytesOf("tile/1/000.p/1")).toHaveLength(32);
  for (const absent of [
    "tile/0/001",
    "tile/0/001.p/45",
    "tile/2/000.p/1",
    "tile/0/002.p/1",
    "checkpoints/299",
    "2/checkpoint",
  ])
    expect((await get(absent)).status).toBe(404);

  const [{ timestamps } = { timestamps: [] }] = index.checkpoints;
  expect(timestamps.map(({ tsa }) => tsa).sort()).toEqual([place.tsa.url, place.second.url].sort());
  const { directory, caFile } = place.authority;
  await writeFile(join(directory, "note"), note);
  for (const { url } of timestamps) {
    await writeFile(
      join(directory, "token.tsr"),
      await bytesOf(url.replace("https://credentials.test/log/", "")),
    );
    const args = ["ts", "-verify", "-data", "note", "-in", "token.tsr", "-CAfile", caFile];
    const { stdout, stderr } = await execute("openssl", args, { cwd: directory });
    expect(stdout + stderr).toContain("Verification: OK");
  }
  expect(await logFindings()).toEqual([]);
});

test("without new events, or within the hour, nothing is signed; a grown log has only today's partial tiles", async () => {
  expect(await publish()).toBeUndefined();
  await seal(knex(), 400);
  expect(await publishCheckpoint(place.deps, signal)).toBeUndefined();
  const hence = new Date(Date.now() + 3_600_000);
  expect((await publishCheckpoint(place.deps, signal, { now: hence }))?.size).toBe(700);
  const directory = join(place.service.app.config.dataDir, "files", "learning_credentials_log", "1", "tile");
  const files = (await readdir(directory, { recursive: true, withFileTypes: true }))
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(directory.length + 1));
  expect(files.sort()).toEqual(
    ["0/000", "0/001", "0/002.p/188", "1/000.p/2", "entries/000", "entries/001", "entries/002.p/188"].sort(),
  );
  // The partial tiles of the previous checkpoint can still be read, for readers that have just read that checkpoint.
  expect(await bytesOf("tile/0/001.p/44")).toEqual((await bytesOf("tile/0/001")).subarray(0, 44 * 32));
  expect(entriesIn(await bytesOf("tile/entries/001.p/44"))).toHaveLength(44);
  expect(await logFindings()).toEqual([]);
});

test("if a process dies at any step, the next one completes it", async () => {
  await seal(knex(), 600);
  for (let steps = 0; ; steps++) {
    let left = steps;
    const dies = async () => {
      if (left-- <= 0) throw new Error("killed");
    };
    const { files } = place.deps;
    const put: FileStore["put"] = (...args) => dies().then(() => files.put(...args));
    const remove: FileStore["delete"] = (key) => dies().then(() => files.delete(key));
    const outcome = await publish({ put, delete: remove }).catch((error: Error) => error.message);
    if (outcome !== "killed") break;
    expect(await logFindings()).toEqual([]);
  }
  await publish();
  expect(readCheckpoint(await (await get("checkpoint")).text()).size).toBe(1300);
  expect(await logFindings()).toEqual([]);
});

test("Go's own implementation finds the log intact, and damaged after a byte changed in any of its files", async () => {
  const { directory } = place.authority;
  const program = await buildGo("check-log", directory);
  const { verifier_key: key } = (await (await get("")).json()) as { verifier_key: string };
  const copy = join(directory, "log");
  await cp(join(place.service.app.config.dataDir, "files", "learning_credentials_log", "1"), copy, {
    recursive: true,
  });
  const files = (await readdir(copy, { recursive: true, withFileTypes: true }))
    .filter((each) => each.isFile() && !each.name.endsWith(".tsr"))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => {
      const tile = readTilePath(file.slice(copy.length + 1));
      // The process killed in the previous test leaves some tiles of other widths.
      return !tile || widthIn(1300, tile) === tile.width;
    });
  // Six tiles of leaves, six bundles of entries, the tile of their roots, three checkpoints, and the latest checkpoint.
  expect(files).toHaveLength(6 + 6 + 1 + 3 + 1);
  if (!program) return;
  const request = async (): Promise<string> =>
    (await execute(program, [key, copy]).catch((error) => error)).stdout;
  expect(await request()).toBe("whole: 1300 entries, 3 checkpoints\n");
  for (const file of files) {
    const bytes = await readFile(file);
    const at = Math.floor(Math.random() * bytes.length);
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    await writeFile(file, changed);
    expect(await request(), `${file}, at ${at}`).toMatch(/^wrong: /);
    await writeFile(file, bytes);
  }
  expect(await request()).toMatch(/^whole: /);
});

test("authorities that are unavailable or send false tokens do no harm: they are tried again, and no false token is kept", async () => {
  place.tsa.instead = (_, response) => void response.destroy();
  place.second.instead = async (_, response) => {
    const other = await place.second.honest(Buffer.alloc(0)).catch(() => Buffer.from("no"));
    response.setHeader("content-type", "application/timestamp-reply").end(other);
  };
  const warnings = place.warnings.length;
  await seal(knex(), 1);
  const { size = 0 } = (await publish()) ?? {};
  expect(size).toBe(1301);
  expect(await publish()).toBeUndefined();
  expect(place.warnings.slice(warnings)).toHaveLength(2);
  const count = async () => Number((await knex()("log_timestamps").where({ size }).count())[0]?.count);
  expect(await count()).toBe(0);
  expect(await logFindings()).toEqual([]);
  place.tsa.instead = undefined;
  const { config } = place.service.app;
  const signing = await openLogSigning(config, [], { log: { warn() {} }, timestamp() {} });
  if (!signing) throw new Error("the settings name no key");
  await publishCheckpoint({ ...place.deps, signing }, signal, always);
  expect(await count()).toBe(1);
});

test("doctor names the first timestamp that contradicts a rewritten history, and nothing is signed after it", async () => {
  const events = await knex()("credential_events").select();
  const [head] = await knex()("credential_event_head");
  await behindTriggers(remake(500));
  const findings = await logFindings();
  expect(findings.map(({ kind }) => kind)).toEqual(["contradicted-checkpoint"]);
  expect(findings[0]?.detail).toMatch(
    /^credentials\.test\/log, checkpoint of 700 events: the events up to position 700 have changed since then; the first timestamp that contradicts them is from \d{4}-.* by .* for 700 events$/,
  );
  await seal(knex(), 1);
  await expect(publish()).rejects.toThrow(
    "The event at position 1301 is not the one that the log credentials.test/log has",
  );
  await behindTriggers("delete from credential_events");
  await knex().transaction(async (transaction) => {
    await transaction.raw("set local session_replication_role = replica");
    await transaction.batchInsert("credential_events", events);
    await transaction("credential_event_head").update(head);
  });
  expect(await logFindings()).toEqual([]);
});

test("a changed or removed checkpoint or token is named", async () => {
  const path = (name: string) =>
    join(place.service.app.config.dataDir, "files", "learning_credentials_log", "1", "checkpoints", name);
  const note = await readFile(path("300"), "utf8");
  await writeFile(path("300"), note.replace("\n300\n", "\n301\n"));
  expect(await logFindings()).toEqual([
    {
      kind: "damaged-checkpoint",
      detail:
        "credentials.test/log, of 300 events: the database and the file store have different checkpoints",
    },
  ]);
  await writeFile(path("300"), note);
  await behindTriggers(
    "update log_timestamps set token = set_byte(token, 200, (get_byte(token, 200) + 1) % 256) where size = 300",
  );
  const damaged = await logFindings();
  expect(damaged.length).toBeGreaterThan(0);
  for (const { kind, detail } of damaged) {
    expect(kind).toBe("damaged-checkpoint");
    expect(detail).toContain("of 300 events: ");
  }
  await behindTriggers(
    "update log_timestamps set token = set_byte(token, 200, (get_byte(token, 200) + 255) % 256) where size = 300",
  );
  expect(await logFindings()).toEqual([]);
});

test("after retention has removed events, the log continues, and doctor checks all of it by its tiles", async () => {
  await behindTriggers(
    "update credential_events set occurred_at = occurred_at - interval '40 days' where position <= 800",
  );
  await behindTriggers(remake(1)); // the service has never published this event
  await behindTriggers(
    "delete from log_timestamps; delete from log_checkpoints; delete from transparency_logs",
  );
  await rm(join(place.service.app.config.dataDir, "files", "learning_credentials_log"), { recursive: true });
  expect((await publish())?.size).toBe(1301);
  await removeOldEvents(knex(), 30, signal);
  await seal(knex(), 100);
  expect((await publish())?.size).toBe(1401);
  const found = await findingsOn(place.service.app, { eventRetentionDays: 30 });
  expect(found.filter(({ kind }) => /checkpoint|log|chain/.test(kind))).toEqual([]);
});

test("a restored older database is recognised by the published log, and signs nothing until a new log is started", async () => {
  const held = await knex()("log_checkpoints").where({ size: 1401 }).first();
  await behindTriggers(
    "delete from log_timestamps where size = 1401; delete from log_checkpoints where size = 1401",
  );
  await seal(knex(), 1);
  await expect(publish()).rejects.toThrow(
    "The log credentials.test/log has published a checkpoint of 1401 events, but the database has only one of 1301",
  );
  const lost = await findingsOn(place.service.app, { eventRetentionDays: 30 });
  expect(lost.filter(({ kind }) => /checkpoint/.test(kind))).toEqual([
    { kind: "lost-checkpoint", detail: "credentials.test/log, of 1401 events" },
  ]);
  const { origin, after } = await continueLog(place.deps);
  expect({ origin, after }).toEqual({ origin: "credentials.test/log/2", after: 800 });
  expect((await publish())?.size).toBe(602);
  expect(readCheckpoint(await (await get("2/checkpoint")).text())).toMatchObject({ origin, size: 602 });
  expect(readCheckpoint(await (await get("checkpoint")).text()).size).toBe(1401);
  await knex()("log_checkpoints").insert(held);
  const found = await findingsOn(place.service.app, { eventRetentionDays: 30 });
  const detail = expect.stringMatching(
    /^credentials\.test\/log: credentials\.test\/log\/2 replaced this log at .*; its checkpoints of up to 1401 events agree with the events$/,
  );
  expect(found.filter(({ kind }) => /checkpoint|log/.test(kind))).toEqual([
    { kind: "restarted-log", detail },
  ]);
  await sealAll(knex());
});

test("while all authorities are unavailable for a day of a simulated clock, each hour has its checkpoint; then one timestamps", async () => {
  const gone = (_: unknown, response: { destroy(): void }) => void response.destroy();
  place.tsa.instead = gone;
  place.second.instead = gone;
  const warnings = place.warnings.length;
  const begin = Date.now() + 3_600_000;
  const sizes: number[] = [];
  for (let hour = 1; hour <= 24; hour++) {
    await seal(knex(), 1);
    const now = new Date(begin + hour * 3_600_000);
    const { size = 0 } = (await publishCheckpoint(place.deps, signal, { now })) ?? {};
    sizes.push(size);
  }
  expect(new Set(sizes.map((size, index) => size - index)).size).toBe(1);
  // An authority that fails gets no requests for minutes, and its failure is logged once.
  expect(place.warnings.length - warnings).toBeLessThanOrEqual(2);
  const stamped = () => knex()("log_timestamps").where("size", ">=", sizes[0] ?? 0);
  expect(await stamped()).toEqual([]);
  place.tsa.instead = undefined;
  const signing = await openLogSigning(place.service.app.config, [], { log: { warn() {} }, timestamp() {} });
  if (!signing) throw new Error("the settings name no key");
  await publishCheckpoint({ ...place.deps, signing }, signal, { isDue: () => false });
  const [last] = await stamped();
  expect(Number(last.size)).toBe(sizes.at(-1));
  const metrics = await place.service.app.metrics.text();
  expect(metrics).toContain(`_log_stamped_timestamp_seconds ${last.stamped_at.getTime() / 1000}\n`);
  expect(metrics).toContain("_log_unpublished_events 0\n");
});

test.each(["before", "after"])(
  "a process that publishes just %s another one reads the published checkpoint does no harm",
  async (when) => {
    await seal(knex(), 10);
    const { files } = place.deps;
    let size: number | undefined;
    const read: FileStore["read"] = async (key) => {
      if (size !== undefined || !key.endsWith("/checkpoint")) return files.read(key);
      const early = await files.read(key);
      size = (await publish())?.size;
      return when === "before" ? files.read(key) : early;
    };
    expect(await publish({ read })).toBeUndefined();
    expect(size).toBeGreaterThanOrEqual(10);
    const [log] = await knex()("transparency_logs").orderBy("id", "desc");
    const latest = await (await get(log.id === 1 ? "checkpoint" : `${log.id}/checkpoint`)).text();
    expect(readCheckpoint(latest).size).toBe(size);
  },
);

function entriesIn(bundle: Buffer): Buffer[] {
  const entries: Buffer[] = [];
  for (let at = 0; at < bundle.length; ) {
    const end = at + 2 + bundle.readUInt16BE(at);
    if (end > bundle.length) throw new RangeError("ends within an entry");
    entries.push(bundle.subarray(at + 2, end));
    at = end;
  }
  return entries;
}
