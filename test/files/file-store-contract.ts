import { createHash, randomBytes, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { FileStore } from "#infrastructure/files/file-store.js";

const PDF = { contentType: "application/pdf", downloadName: "Ada.pdf" };
const NOW = new Date("2026-01-15T10:30:00.900Z");
const bytes = (text: string) => Buffer.from(text);

export function newKey(directory = "learning_credentials"): string {
  return `${directory}/${randomUUID()}/${randomBytes(16).toString("hex")}.pdf`;
}

/**
 * Tests the behaviour that all stores share.
 * @param open opens the store, each time with another custom domain, and releases it at the end of the test
 * @param options.refuses true if the store refuses foreign links and callers
 * @param options.pages true if the store can list more than a thousand files
 */
export function fileStoreContract(
  open: (customDomain?: string) => Promise<FileStore>,
  { refuses, pages }: { refuses: boolean; pages: boolean },
): void {
  describe("files", () => {
    test("are read as they were stored, and gone when deleted", async () => {
      const [store, key] = [await open(), newKey()];
      expect(await store.read(key)).toBeUndefined();
      await store.put(key, bytes("one"), PDF);
      expect(await store.read(key)).toEqual(bytes("one"));
      await store.delete(key);
      expect(await store.read(key)).toBeUndefined();
      await store.delete(key);
    });

    test.each([
      ["none", 0],
      ["all values of a byte", 256],
      ["some megabytes", 5_000_001],
    ])("keep their bytes: %s", async (_name, size) => {
      const [store, key] = [await open(), newKey()];
      // A view of a part of a buffer. A generator may return such a view.
      const content = Uint8Array.from({ length: size + 9 }, (_, n) => n).subarray(9);
      await store.put(key, content, PDF);
      expect(Buffer.compare((await store.read(key)) ?? bytes("absent"), content)).toBe(0);
    });

    test("that are stored again are replaced", async () => {
      const [store, key] = [await open(), newKey()];
      await store.put(key, bytes("the first, and longer"), PDF);
      await store.put(key, bytes("the second"), { contentType: "text/plain", downloadName: "b.txt" });
      expect(await store.read(key)).toEqual(bytes("the second"));
      expect((await download(store, key)).type).toBe("text/plain");
    });

    test("of several simultaneous puts are all stored", async () => {
      const store = await open();
      const keys = Array.from({ length: 50 }, () => newKey());
      await Promise.all(keys.map((key) => store.put(key, bytes(key), PDF)));
      for (const key of keys) expect(await store.read(key)).toEqual(bytes(key));
    });

    test("with a content type that could end a header are refused", async () => {
      const store = await open();
      const attributes = { ...PDF, contentType: "text/plain\r\nx: y" };
      await expect(store.put(newKey(), bytes("x"), attributes)).rejects.toThrow("not a media type");
    });
  });

  describe("a directory that is deleted", () => {
    test("is deleted with all its files, and nothing else", async () => {
      const [store, directory] = [await open(), newDirectory()];
      const inside = [`${directory}/1.pdf`, `${directory}/a/b/2.pdf`];
      const beside = [`${directory}_invalidated/1.pdf`, `${directory}3.pdf`];
      for (const key of [...inside, ...beside]) await store.put(key, bytes(key), PDF);
      await store.deleteDirectory(directory);
      for (const key of inside) expect(await store.read(key)).toBeUndefined();
      for (const key of beside) expect(await store.read(key)).toEqual(bytes(key));
      await store.deleteDirectory(directory);
    });
  });

  describe("a stream", () => {
    test.each([
      ["none", 0],
      ["some megabytes", 5_000_001],
    ])("returns its size, then all bytes: %s", async (_name, size) => {
      const [store, key] = [await open(), newKey()];
      const content = Buffer.alloc(size, "credential");
      await store.put(key, content, PDF);
      const file = await store.stream(key);
      expect(file?.size).toBe(size);
      expect(Buffer.concat((await file?.content.toArray()) ?? []).equals(content)).toBe(true);
    });

    test("of a missing file is none", async () => {
      expect(await (await open()).stream(newKey())).toBeUndefined();
    });
  });

  describe("a digest", () => {
    test.each([
      ["none", 0],
      ["some megabytes", 5_000_001],
    ])("covers all bytes: %s", async (_name, size) => {
      const [store, key] = [await open(), newKey()];
      const content = Buffer.alloc(size, "credential");
      await store.put(key, content, PDF);
      expect(await store.digest(key)).toEqual({
        sha256: createHash("sha256").update(content).digest("hex"),
        size,
      });
    });

    test("reports a missing file", async () => {
      expect(await (await open()).digest(newKey())).toBeUndefined();
    });
  });

  describe("a list", () => {
    test("has the files below the directory, and nothing else", async () => {
      const [store, directory] = [await open(), newDirectory()];
      const keys = [
        `${directory}/a/1.pdf`,
        `${directory}/a/2.pdf`,
        `${directory}/b/c/d/3.pdf`,
        `${directory}/4`,
      ];
      for (const key of [...keys, `${directory}_invalidated/a/1.pdf`, directory.slice(0, -1)])
        await store.put(key, bytes(key), PDF);
      const files = await all(store.list(`${directory}/`));
      expect(files.map(({ key }) => key).sort()).toEqual([...keys].sort());
      for (const { key, size, lastModified } of files) {
        expect(size).toBe(key.length);
        expect(Math.abs(lastModified.getTime() - Date.now())).toBeLessThan(60_000);
      }
      expect((await all(store.list(`${directory}/a/`))).map(({ key }) => key).sort()).toEqual(
        keys.slice(0, 2),
      );
    });

    test("of one file is that file, while it exists", async () => {
      const [store, key] = [await open(), `${newDirectory()}/1`];
      await store.put(key, bytes("one"), PDF);
      await store.put(`${key}0`, bytes("another"), PDF);
      expect(await all(store.list(key))).toEqual([{ key, size: 3, lastModified: expect.any(Date) }]);
      await store.delete(key);
      expect(await all(store.list(key))).toEqual([]);
    });

    test("of nothing is empty", async () => {
      const store = await open();
      expect(await all(store.list(`${newDirectory()}/`))).toEqual([]);
    });

    if (pages) {
      test("of more files than fit into one response has each of them once", async () => {
        const [store, directory] = [await open(), newDirectory()];
        const keys = Array.from({ length: 1003 }, (_, n) => `${directory}/${n % 7}/${n}`);
        const queue = [...keys];
        const put = async () => {
          for (let key = queue.pop(); key; key = queue.pop()) await store.put(key, bytes("x"), PDF);
        };
        await Promise.all(Array.from({ length: 20 }, put));
        const listed = (await all(store.list(`${directory}/`))).map(({ key }) => key);
        expect(listed.sort()).toEqual(keys.sort());
      });
    }

    test("can be left before its end", async () => {
      const [store, directory] = [await open(), newDirectory()];
      for (const name of ["a/1", "a/2", "b"]) await store.put(`${directory}/${name}`, bytes("x"), PDF);
      for await (const { size } of store.list(`${directory}/`)) {
        expect(size).toBe(1);
        break;
      }
    });
  });

  describe("a move", () => {
    test("takes the file and its attributes elsewhere, and old links lead nowhere", async () => {
      const [store, from, to] = [await open(), newKey(), newKey("learning_credentials_invalidated")];
      await store.put(from, bytes("one"), PDF);
      const { url: oldLink } = await store.downloadUrl(from);
      const before = await download(store, from);
      expect(await store.move(from, to)).toBe(true);
      expect(await store.read(from)).toBeUndefined();
      expect(await store.read(to)).toEqual(bytes("one"));
      expect(await download(store, to)).toEqual(before);
      expect((await fetch(oldLink)).status).toBe(404);
    });

    test("may be repeated, and completed by another after it died half-way", async () => {
      const [store, from, to] = [await open(), newKey(), newKey()];
      await store.put(from, bytes("one"), PDF);
      await store.put(to, bytes("half"), PDF);
      for (let attempt = 0; attempt < 2; attempt++) {
        expect(await store.move(from, to)).toBe(true);
        expect(await store.read(from)).toBeUndefined();
        expect(await store.read(to)).toEqual(bytes("one"));
      }
    });

    test("may be made several times at once", async () => {
      const [store, from, to] = [await open(), newKey(), newKey()];
      await store.put(from, bytes("one"), PDF);
      const moves = await Promise.all(Array.from({ length: 5 }, () => store.move(from, to)));
      expect(moves).toEqual([true, true, true, true, true]);
      expect(await store.read(from)).toBeUndefined();
      expect(await store.read(to)).toEqual(bytes("one"));
    });

    test("reports a missing file", async () => {
      const [store, from, to] = [await open(), newKey(), newKey()];
      expect(await store.move(from, to)).toBe(false);
      expect(await store.read(to)).toBeUndefined();
    });

    test("of a file onto itself is refused", async () => {
      const [store, key] = [await open(), newKey()];
      await store.put(key, bytes("one"), PDF);
      await expect(store.move(key, key)).rejects.toThrow("to itself");
      expect(await store.read(key)).toEqual(bytes("one"));
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
      ["query", "a?acl"],
      ["NUL", "a\0"],
      ["line end", "a\n"],
      ["space", "a b"],
      ["other script", "é"],
      ["too long", "a/".repeat(300)],
      ["too long a segment", "a".repeat(201)],
    ])("%s is refused everywhere", async (_name, key) => {
      const store = await open();
      await expect(store.put(key, bytes("x"), PDF)).rejects.toThrow("not a file key");
      await expect(store.move(key, "a")).rejects.toThrow("not a file key");
      await expect(store.move("a", key)).rejects.toThrow("not a file key");
      await expect(store.delete(key)).rejects.toThrow("not a file key");
      await expect(store.deleteDirectory(key)).rejects.toThrow("not a file key");
      await expect(store.read(key)).rejects.toThrow("not a file key");
      await expect(store.digest(key)).rejects.toThrow("not a file key");
      await expect(store.stream(key)).rejects.toThrow("not a file key");
      await expect(all(store.list(`${key}/`))).rejects.toThrow("not a file key");
      await expect(store.downloadUrl(key)).rejects.toThrow("not a file key");
    });
  });

  describe("links", () => {
    test.each([
      ["plain", "Ada.pdf", `filename="Ada.pdf"; filename*=UTF-8''Ada.pdf`],
      ["spaces", "Ada  L  .pdf", `filename="Ada  L  .pdf"; filename*=UTF-8''Ada%20%20L%20%20.pdf`],
      ["other script", "Я.pdf", `filename="_.pdf"; filename*=UTF-8''%D0%AF.pdf`],
      ["quotes", `a"b'c.pdf`, `filename="a_b'c.pdf"; filename*=UTF-8''a%22b%27c.pdf`],
    ])(
      "serve the file as an attachment of its own name (%s), and forbid caching",
      async (_name, name, value) => {
        const [store, key] = [await open(), newKey()];
        await store.put(key, bytes("one"), { ...PDF, downloadName: name });
        expect(await download(store, key)).toEqual({
          status: 200,
          text: "one",
          type: "application/pdf",
          disposition: `attachment; ${value}`,
          cache: "private, max-age=0",
        });
      },
    );

    test("hold for ten minutes", async () => {
      const { url, expires } = await (await open()).downloadUrl(newKey(), NOW);
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/.*learning_credentials\/[0-9a-f-]+\/[0-9a-f]+\.pdf\?/);
      expect(expires).toEqual(new Date("2026-01-15T10:40:00Z"));
    });

    test("lead to nothing where there is no file", async () => {
      expect((await download(await open(), newKey())).status).toBe(404);
    });

    test.each([
      ["credentials.example.org", "https://credentials.example.org/"],
      ["https://credentials.example.org", "https://credentials.example.org/"],
      ["http://localhost:9000/bucket/", "http://localhost:9000/bucket/"],
    ])("lead to a custom domain, %s, permanently", async (domain, base) => {
      const [store, key] = [await open(domain), newKey()];
      expect(await store.downloadUrl(key, NOW)).toEqual({ url: `${base}${key}`, expires: undefined });
    });

    if (!refuses) return;

    test("are refused when they have expired", async () => {
      const [store, key] = [await open(), newKey()];
      await store.put(key, bytes("one"), PDF);
      const status = async (age: number) =>
        (await fetch((await store.downloadUrl(key, new Date(Date.now() - age))).url)).status;
      expect(await status(570_000)).toBe(200);
      expect(await status(602_000)).toBe(403);
    });

    test("are refused when anything in them was changed, or left out", async () => {
      const [store, key, other] = [await open(), newKey(), newKey()];
      await store.put(key, bytes("one"), PDF);
      await store.put(other, bytes("two"), PDF);
      const url = new URL((await store.downloadUrl(key)).url);
      const changed = [...url.searchParams].flatMap(([name, value]) => {
        const end = value.endsWith("1") ? "2" : "1";
        return [
          edit(url, (query) => query.set(name, value.slice(0, -1) + end)),
          edit(url, (query) => query.delete(name)),
        ];
      });
      const anonymous = url.href.slice(0, url.href.indexOf("?"));
      for (const link of [...changed, anonymous, url.href.replace(key, other)]) {
        const response = await fetch(link);
        expect([400, 403], link).toContain(response.status);
        expect(await response.text()).not.toMatch(/^(one|two)$/);
      }
    });
  });
}

function newDirectory(): string {
  return `listed-${randomUUID()}`;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

function edit(url: URL, change: (query: URLSearchParams) => void): string {
  const edited = new URL(url);
  change(edited.searchParams);
  return edited.href;
}

async function download(store: FileStore, key: string) {
  const response = await fetch((await store.downloadUrl(key)).url);
  return {
    status: response.status,
    text: await response.text(),
    type: response.headers.get("content-type"),
    disposition: response.headers.get("content-disposition"),
    cache: response.headers.get("cache-control"),
  };
}
