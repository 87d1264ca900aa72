import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname, join } from "node:path";
import pino from "pino";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createPipeline } from "#api/pipeline/pipeline.js";
import { createClientOf } from "#edges/http/client-address.js";
import { createRoutes } from "#edges/http/routes.js";
import { filesRoute } from "#edges/http/signed-files.js";
import { createLocalFileStore } from "#infrastructure/files/local/file-store.js";
import { anonymous } from "#infrastructure/identity/caller.js";
import { newDirectory } from "../../support/directory.js";
import { fileStoreContract } from "../file-store-contract.js";

const KEY = "learning_credentials/6f0c/0123456789abcdef.pdf";
const PDF = { contentType: "application/pdf", downloadName: "Ada.pdf" };
const NOW = new Date("2026-01-15T10:30:00.900Z");
const bytes = (text: string) => Buffer.from(text);

let scratch: string;
let directory: string;

beforeEach(() => {
  scratch = newDirectory("local-file-store");
  directory = join(scratch, "files");
});

function store(at = directory, options: { publicUrl?: string; customDomain?: string | undefined } = {}) {
  const { publicUrl = "http://127.0.0.1:8080", customDomain } = options;
  return createLocalFileStore({
    directory: at,
    publicUrl,
    secrets: ["a".repeat(32)],
    customDomain,
  });
}

/** Opens the store, and the server that serves its files. */
async function openServed(customDomain?: string) {
  const log = pino({ level: "silent" });
  const pipeline = createPipeline({ mounts: [], authenticate: () => anonymous, log });
  const server = createServer((request, response) => {
    createRoutes({ clientOf: createClientOf(0), log }, [filesRoute(served, pipeline)])(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const served = store(directory, { publicUrl: `http://127.0.0.1:${port}`, customDomain });
  return served;
}

fileStoreContract(openServed, { refuses: true, pages: true });

describe("files", () => {
  test("that are stored at the same time fail independently, and leave no draft", async () => {
    const served = store();
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, "blocked"), "not a directory");
    const keys = Array.from({ length: 40 }, (_, n) =>
      n % 4 === 3 ? `blocked/${n}.pdf` : `learners/${n}/file.pdf`,
    );
    const outcomes = await Promise.allSettled(keys.map((key) => served.put(key, bytes(key), PDF)));
    expect(outcomes.map(({ status }) => status)).toEqual(
      keys.map((key) => (key.startsWith("blocked/") ? "rejected" : "fulfilled")),
    );
    for (const key of keys.filter((key) => key.startsWith("learners/")))
      expect(Buffer.from((await served.read(key)) ?? []).toString()).toBe(key);
    const names = await readdir(directory, { recursive: true });
    const hidden = names.map((name) => basename(name)).filter((name) => name.startsWith("."));
    expect(hidden).toEqual([".attributes"]);
  });

  test("exist for a later process, and leave nothing when deleted", async () => {
    await store().put(KEY, bytes("one"), PDF);
    await store().move(KEY, "elsewhere/b.pdf");
    expect(await store().read("elsewhere/b.pdf")).toEqual(bytes("one"));
    await store().delete("elsewhere/b.pdf");
    expect(await filesIn(directory)).toEqual([]);
  });

  test("of a deleted directory leave no draft and no attributes, even after a crash", async () => {
    await store().put(KEY, bytes("one"), PDF);
    await store().put("learning_credentials/6f0d/b.pdf", bytes("two"), PDF);
    const place = dirname(KEY);
    await writeFile(join(directory, place, ".draft"), "half");
    await writeFile(join(directory, ".attributes", place, "never-put.pdf.json"), JSON.stringify(PDF));
    await store().deleteDirectory(place);
    expect((await filesIn(directory)).sort()).toEqual(["b.pdf", "b.pdf.json"]);
  });

  test("have their keys as paths, and are readable by this user only", async () => {
    await store().put(KEY, bytes("one"), PDF);
    expect(await readFile(join(directory, KEY), "utf8")).toBe("one");
    for (const path of [directory, join(directory, "learning_credentials")]) {
      expect((await stat(path)).mode & 0o777).toBe(0o700);
    }
    await store().move(KEY, "elsewhere/b.pdf");
    expect((await stat(join(directory, "elsewhere"))).mode & 0o777).toBe(0o700);
    expect((await stat(join(directory, "elsewhere/b.pdf"))).mode & 0o777).toBe(0o600);
  });

  test("are seen completely or not at all while they are written", async () => {
    const versions = [1, 2, 3].map((n) => Buffer.alloc(3_000_000, n));
    let isWriting = true;
    const writing = (async () => {
      for (const version of [...versions, ...versions]) await store().put(KEY, version, PDF);
      isWriting = false;
    })();
    while (isWriting) {
      const seen = await store().read(KEY);
      if (seen) expect(versions.some((version) => version.equals(seen))).toBe(true);
    }
    await writing;
  });

  test("whose attributes were lost are still served", async () => {
    await store().put(KEY, bytes("one"), PDF);
    await rm(join(directory, ".attributes"), { recursive: true });
    const file = await store().open(KEY);
    await file?.handle.close();
    expect(file).toMatchObject({
      contentType: "application/octet-stream",
      downloadName: "0123456789abcdef.pdf",
      size: 3,
    });
  });
});

describe("faults", () => {
  const canMount = tryMount();

  test.skipIf(!canMount)(
    "a full disk is 'unavailable', leaves nothing, and only the log learns the path",
    async () => {
      const disk = join(scratch, "disk");
      await mkdir(disk);
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", disk]);
      onTestFinished(() => void execFileSync("umount", [disk]));
      const files = store(disk);
      await files.put(KEY, bytes("one"), PDF);

      const problem = await files.put(KEY, Buffer.alloc(1_000_000), PDF).catch((error) => error);
      expect(problem).toMatchObject({ name: "Problem", kind: "unavailable" });
      expect(problem.message).not.toContain(disk);
      expect(problem.cause.message).toBe(
        `${join(disk, KEY)} can't be used: the disk is full: free some space`,
      );
      expect(await files.read(KEY)).toEqual(bytes("one"));
      expect((await filesIn(disk)).filter((name) => /\.[\w-]{36}$/.test(name))).toEqual([]);
    },
  );

  test.skipIf(!canMount)("a move to another file system is 'unavailable', and the file stays", async () => {
    const other = join(directory, "other");
    await mkdir(other, { recursive: true });
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", other]);
    onTestFinished(() => void execFileSync("umount", [other]));
    await store().put(KEY, bytes("one"), PDF);
    const problem = await store()
      .move(KEY, "other/b.pdf")
      .catch((error) => error);
    expect(problem).toMatchObject({ name: "Problem", kind: "unavailable" });
    expect(problem.cause.message).toContain("keep them on one");
    expect(await store().read(KEY)).toEqual(bytes("one"));
  });

  test("any other fault is an error, but not a Problem", async () => {
    await store().put("a", bytes("one"), PDF);
    const error = await store()
      .put("a/b", bytes("two"), PDF)
      .catch((fault) => fault);
    expect(error.name).toBe("Error");
    expect(error.message).toContain(join(directory, "a/b"));
  });
});

describe("links", () => {
  test("are valid for ten minutes", async () => {
    const { url, expires } = await store().downloadUrl(KEY, NOW);
    expect(url).toMatch(
      /^http:\/\/127\.0\.0\.1:8080\/files\/learning_credentials\/6f0c\/0123456789abcdef\.pdf\?expires=/,
    );
    expect(expires).toEqual(new Date("2026-01-15T10:40:00Z"));
    const link = parse(url);
    expect(store().admits(link, NOW)).toBe(true);
    expect(store().admits(link, new Date("2026-01-15T10:39:59.999Z"))).toBe(true);
    expect(store().admits(link, new Date("2026-01-15T10:40:00Z"))).toBe(false);
  });

  test("of another secret are not valid", async () => {
    const other = createLocalFileStore({
      directory,
      publicUrl: "http://127.0.0.1:8080",
      secrets: ["b".repeat(32)],
      customDomain: undefined,
    });
    const { url } = await other.downloadUrl(KEY, NOW);
    expect(store().admits(parse(url), NOW)).toBe(false);
  });

  test("are valid for one key, one time and one spelling", async () => {
    const { url } = await store().downloadUrl(KEY, NOW);
    const link = parse(url);
    for (const changed of [
      { ...link, key: KEY.replace("abcdef", "abcdee") },
      { ...link, expires: String(Number(link.expires) + 1) },
      { ...link, expires: `0${link.expires}` },
      { ...link, signature: "" },
      { ...link, signature: `${link.signature}=` },
      { ...link, signature: link.signature.slice(0, -1) },
      { ...link, signature: `${link.signature.slice(0, -1)}${link.signature.endsWith("A") ? "B" : "A"}` },
      { ...link, signature: "é".repeat(link.signature.length) },
    ]) {
      expect(store().admits(changed, NOW)).toBe(false);
    }
  });
});

function parse(url: string) {
  const { pathname, searchParams } = new URL(url);
  return {
    key: pathname.slice("/files/".length),
    expires: searchParams.get("expires") ?? "",
    signature: searchParams.get("signature") ?? "",
  };
}

async function filesIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

function tryMount(): boolean {
  try {
    execFileSync("sh", ["-c", 'd=$(mktemp -d) && mount -t tmpfs tmpfs "$d" && umount "$d" && rmdir "$d"'], {
      stdio: "ignore",
    });
    return true;
  } catch {
    console.warn("skipped: no test of a full disk, as this user can't mount a small one");
    return false;
  }
}
