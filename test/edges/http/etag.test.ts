import { describe, expect, test } from "vitest";
import { etagOf, namesEtag } from "#edges/http/etag.js";

const etag = etagOf('{"status":"available"}', undefined);
const other = etagOf('{"status":"invalidated"}', undefined);

test("an ETag is strong, and differs by text and by content coding", () => {
  const all = [etag, other, etagOf('{"status":"available"}', "gzip"), etagOf('{"status":"available"}', "br")];
  for (const each of all) expect(each).toMatch(/^"[\w.-]+"$/);
  expect(new Set(all).size).toBe(4);
  expect(etagOf('{"status":"available"}', undefined)).toBe(etag);
});

describe("If-None-Match", () => {
  test.each<[string, string, boolean]>([
    ["the tag", etag, true],
    ["the tag, weak", `W/${etag}`, true],
    ["any", "*", true],
    ["any, with spaces", " * ", true],
    ["another", other, false],
    ["a list that has it", `${other}, ${etag}`, true],
    ["a list that has it, weak and without spaces", `"a",W/${etag},"b"`, true],
    ["a list that has not", `${other}, "", "x"`, false],
    ["a list with empty members", `, ,${etag} , ,`, true],
    ["a comma in a tag", `"a,b", ${etag}`, true],
    ["a tag that contains it", `"x${etag.slice(1)}`, false],
    ["without its quotation marks", etag.slice(1, -1), false],
    ["without the last one", etag.slice(0, -1), false],
    ["a small w", `w/${etag}`, false],
    ["no comma between two", `"a" ${etag}`, false],
    ["any in a list", `*, ${other}`, false],
    ["malformed after it", `${etag}, x`, false],
    ["nothing", "", false],
    ["a space in a tag", `"a b", ${etag}`, false],
    ["many commas", `${",".repeat(10_000)}x`, false],
    ["many tags", `${'"a",'.repeat(2_000)}${etag}`, true],
  ])("%s", (_, header, expected) => {
    expect(namesEtag(header, etag)).toBe(expected);
  });
});
