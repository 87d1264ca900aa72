import { unzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { MAX_BYTES, TooLargeError } from "#console/documents/archive-limits.js";
import { fileNameFor } from "#console/documents/file-name.js";
import { zipDocuments } from "#console/documents/zip-documents.js";

const named = (title: string) => fileNameFor(title, "pdf", new Set());

describe("the name of a file", () => {
  test.each([
    ["Ana Kovač - Certificate", "Ana Kovač - Certificate.pdf"],
    ["../../etc/passwd", "etc passwd.pdf"],
    ['a<b>:"c"|d?*', "a b c d.pdf"],
    ["gpj.\u202eexe", "gpj. exe.pdf"],
    ["  .hidden. ", "hidden.pdf"],
    ["CON", "_CON.pdf"],
    ["\u0000", "document.pdf"],
    ["ش".repeat(100), `${"ش".repeat(75)}.pdf`],
  ])("of %j is %j", (title, name) => {
    expect(named(title)).toBe(name);
  });

  test("differs from existing names, ignoring case", () => {
    const taken = new Set<string>();
    const names = ["Ana", "ana", "Ana"].map((title) => fileNameFor(title, "pdf", taken));
    expect(names).toEqual(["Ana.pdf", "ana (2).pdf", "Ana (3).pdf"]);
  });
});

describe("an archive", () => {
  const document = (title: string, bytes: Uint8Array | undefined) => ({
    title,
    created: new Date("2026-11-22T12:00:00Z"),
    read: async () => bytes,
  });
  const never = new AbortController().signal;

  test("has each document unchanged, and counts missing ones", async () => {
    const [one, other] = [Uint8Array.of(1, 2, 3), Uint8Array.of(4)];
    const progress: number[] = [];
    const { archive, count, missing } = await zipDocuments(
      [document("Ana", one), document("Gone", undefined), document("Ana", other)],
      (done) => progress.push(done),
      never,
    );
    expect([count, missing]).toEqual([2, 1]);
    expect(progress).toEqual([1, 2, 3]);
    expect(unzipSync(new Uint8Array(await archive.arrayBuffer()))).toEqual({
      "Ana.pdf": one,
      "Ana (2).pdf": other,
    });
  });

  test("is refused if it would be too large, and stopped on request", async () => {
    const huge = { length: MAX_BYTES + 1 } as Uint8Array;
    await expect(zipDocuments([document("Huge", huge)], () => {}, never)).rejects.toThrow(TooLargeError);
    const stop = new AbortController();
    const stopping = zipDocuments(
      [document("Ana", Uint8Array.of(1)), document("Leo", Uint8Array.of(2))],
      () => stop.abort(new Error("enough")),
      stop.signal,
    );
    await expect(stopping).rejects.toThrow("enough");
  });
});
