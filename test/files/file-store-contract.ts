import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { FileStore } from "../../src/files/file-store.js";

const PDF = { contentType: "application/pdf", downloadName: "Ada.pdf" };
const NOW = new Date("2026-01-15T10:30:00.900Z");
const bytes = (text: string) => Buffer.from(text);

/** A key that nobody has used. */
export function newKey(directory = "learning_credentials"): string {
  return `${directory}/${randomUUID()}/${randomBytes(16).toString("hex")}.pdf`;
}

/**
 * What every store does, as tests.
 * @param open opens the store, with another custom domain each time; what it needs is released when the test is finished
 * @param options.refuses whether links and callers that are not ours are turned away
 */
export function fileStoreContract(
  open: (customDomain?: string) => Promise<FileStore>,
  { refuses }: { refuses: boolean },
): void {
  describe("files", () => {
    test("are read as they were put, and gone when deleted", async () => {
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
      // A view of a part of a buffer, as a generator may return it.
      const content = Uint8Array.from({ length: size + 9 }, (_, n) => n).subarray(9);
      await store.put(key, content, PDF);
      expect(Buffer.compare((await store.read(key)) ?? bytes("absent"), content)).toBe(0);
    });

    test("that are put again are replaced", async () => {
      const [store, key] = [await open(), newKey()];
      await store.put(key, bytes("the first, and longer"), PDF);
      await store.put(key, bytes("the second"), { contentType: "text/plain", downloadName: "b.txt" });
      expect(await store.read(key)).toEqual(bytes("the second"));
      expect((await download(store, key)).type).toBe("text/plain");
    });

    test("of several puts at once are all kept", async () => {
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

    test("may be repeated, and finished by another after it died half-way", async () => {
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

    test("tells when there is no file", async () => {
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
      await expect(store.read(key)).rejects.toThrow("not a file key");
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
      "serve the file as an attachment of its own name (%s), for nobody to keep",
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
    ])("lead to a custom domain, %s, for ever", async (domain, base) => {
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
