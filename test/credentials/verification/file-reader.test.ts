import { afterAll, expect, test } from "vitest";
import { createFileReader } from "#domain/credentials/verification/file-reader.js";

const MIB = 1024 * 1024;

const reader = createFileReader();
afterAll(() => reader.close());

const read = (bytes: number, client: string) =>
  reader.read(new Uint8Array(bytes), [], client).then(
    ({ kind }) => kind,
    ({ kind }) => kind,
  );

test("waiting files are bounded, for each client and in total; further ones are refused until one was read", async () => {
  const first = [4, 4, 4].map((size) => read(size * MIB, "a"));
  const others = ["b", "c", "d", "e", "f", "g", "h", "i"].map((client) => read(4 * MIB, client));
  expect(await Promise.all(first)).toEqual(["text", "text", "overloaded"]);
  expect(await Promise.all(others)).toEqual([...Array(6).fill("text"), "overloaded", "overloaded"]);
  expect(await read(4 * MIB, "i")).toBe("text");
});

test("the number of small files is bounded", async () => {
  const kinds = await Promise.all(Array.from({ length: 129 }, () => read(1, "a")));
  expect(kinds).toEqual([...Array(128).fill("text"), "overloaded"]);
});

test("the caller keeps its bytes", async () => {
  const message = Buffer.concat([Buffer.from("head"), Buffer.from("{}")]);
  await reader.read(message.subarray(4), [], "a");
  expect(message.toString()).toBe("head{}");
});
