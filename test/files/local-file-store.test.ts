import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createLocalFileStore } from "../../src/files/local-file-store.js";

const KEY = "learning_credentials/6f0c/0123456789abcdef.pdf";
const PDF = { contentType: "application/pdf", downloadName: "Ada.pdf" };
const NOW = new Date("2026-01-15T10:30:00.900Z");
const bytes = (text: string) => Buffer.from(text);

let scratch: string;
let directory: string;

beforeEach(async ({ onTestFinished }) => {
  scratch = await mkdtemp(join(tmpdir(), "local-file-store-"));
  directory = join(scratch, "files");
  onTestFinished(() => rm(scratch, { recursive: true, force: true }));
});

function store(customDomain?: string, at = directory) {
  return createLocalFileStore({
    directory: at,
    publicUrl: () => "http://127.0.0.1:8080",
    secret: "a".repeat(32),
    customDomain,
  });
}

describe("files", () => {
  test("are read as they were put, by a later process too, and gone when deleted", async () => {
    await store().put(KEY, bytes("one"), PDF);
    expect(await store().read(KEY)).toEqual(bytes("one"));
    await store().delete(KEY);
    expect(await store().read(KEY)).toBeUndefined();
    await store().delete(KEY);
    expect(await filesIn(directory)).toEqual([]);
  });

  test("lie under their keys, for this user only", async () => {
    await store().put(KEY, bytes("one"), PDF);
    expect(await readFile(join(directory, KEY), "utf8")).toBe("one");
    for (const path of [directory, join(directory, "learning_credentials")]) {
      expect((await stat(path)).mode & 0o777).toBe(0o700);
    }
    expect((await stat(join(directory, KEY))).mode & 0o777).toBe(0o600);
  });

  test("are seen whole or not at all while they are written", async () => {
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

  test("of several puts at once are all kept", async () => {
    const keys = Array.from({ length: 50 }, (_, n) => `learning_credentials/${n % 5}/${n}.pdf`);
    await Promise.all(keys.map((key) => store().put(key, bytes(key), PDF)));
    for (const key of keys) expect(await store().read(key)).toEqual(bytes(key));
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

describe("keys", () => {
  test.each([
    ["empty", ""],
    ["absolute", "/etc/passwd"],
    ["parent", "../x"],
    ["parent in the middle", "a/../../x"],
    ["this directory", "a/./x"],
    ["hidden", ".attributes/x"],
    ["empty segment", "a//x"],
    ["slash at the end", "a/"],
    ["backslash", "a\\x"],
    ["percent", "a/%2e%2e/x"],
    ["NUL", "a\0"],
    ["line end", "a\n"],
    ["space", "a b"],
    ["other script", "é"],
    ["too long", "a/".repeat(300)],
    ["too long a segment", "a".repeat(201)],
  ])("%s is refused everywhere", async (_name, key) => {
    const files = store();
    await expect(files.put(key, bytes("x"), PDF)).rejects.toThrow("not a file key");
    await expect(files.delete(key)).rejects.toThrow("not a file key");
    await expect(files.read(key)).rejects.toThrow("not a file key");
    await expect(files.open(key)).rejects.toThrow("not a file key");
    expect(() => files.downloadUrl(key)).toThrow("not a file key");
    expect(await filesIn(scratch)).toEqual([]);
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
      const files = store(undefined, disk);
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

  test("any other fault is an error that is no Problem", async () => {
    await store().put("a", bytes("one"), PDF);
    const error = await store()
      .put("a/b", bytes("two"), PDF)
      .catch((fault) => fault);
    expect(error.name).toBe("Error");
    expect(error.message).toContain(join(directory, "a/b"));
  });

  test("a content type that could end a header is refused", async () => {
    const attributes = { ...PDF, contentType: "text/plain\r\nx: y" };
    await expect(store().put(KEY, bytes("x"), attributes)).rejects.toThrow("not a media type");
  });
});

describe("links", () => {
  test("hold for ten minutes", () => {
    const { url, expires } = store().downloadUrl(KEY, NOW);
    expect(url).toMatch(
      /^http:\/\/127\.0\.0\.1:8080\/files\/learning_credentials\/6f0c\/0123456789abcdef\.pdf\?expires=/,
    );
    expect(expires).toEqual(new Date("2026-01-15T10:40:00Z"));
    const link = parse(url);
    expect(store().admits(link, NOW)).toBe(true);
    expect(store().admits(link, new Date("2026-01-15T10:39:59.999Z"))).toBe(true);
    expect(store().admits(link, new Date("2026-01-15T10:40:00Z"))).toBe(false);
  });

  test("of another secret do not", () => {
    const other = createLocalFileStore({
      directory,
      publicUrl: () => "http://127.0.0.1:8080",
      secret: "b".repeat(32),
      customDomain: undefined,
    });
    expect(store().admits(parse(other.downloadUrl(KEY, NOW).url), NOW)).toBe(false);
  });

  test("hold for one key, one time and one spelling", () => {
    const link = parse(store().downloadUrl(KEY, NOW).url);
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

  test.each([
    ["credentials.example.org", "https://credentials.example.org/"],
    ["https://credentials.example.org", "https://credentials.example.org/"],
    ["http://localhost:9000/bucket/", "http://localhost:9000/bucket/"],
  ])("lead to a custom domain, %s, for ever", (domain, base) => {
    expect(store(domain).downloadUrl(KEY, NOW)).toEqual({ url: `${base}${KEY}`, expires: undefined });
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
