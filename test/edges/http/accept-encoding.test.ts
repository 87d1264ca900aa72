import { describe, expect, test } from "vitest";
import { chooseCoding } from "#edges/http/accept-encoding.js";

describe("Accept-Encoding", () => {
  test.each([
    [undefined, undefined],
    ["", undefined],
    ["gzip", "gzip"],
    ["GZIP", "gzip"],
    ["x-gzip", "gzip"],
    ["br", "br"],
    ["gzip, deflate, br, zstd", "br"],
    ["gzip,br", "br"],
    ["gzip;q=1.0, br;q=0.5", "gzip"],
    ["gzip;q=0.001", "gzip"],
    ["gzip ; q=0.5", "gzip"],
    ["gzip\t;\tQ=1", "gzip"],
    ["gzip;q=0", undefined],
    ["gzip;q=0.000, br;q=0", undefined],
    ["br;q=0, gzip", "gzip"],
    ["*", "br"],
    ["*;q=0", undefined],
    ["br;q=0, *", "gzip"],
    ["gzip;q=0.2, *;q=0.1", "gzip"],
    ["gzip;q=0.1, *;q=0.2", "br"],
    ["identity", undefined],
    ["identity, gzip", "gzip"],
    ["identity;q=0.5, gzip;q=0.4", undefined],
    ["identity;q=0", undefined],
    ["identity;q=0, gzip;q=0.1", "gzip"],
    ["deflate, compress, zstd", undefined],
    ["gzip;q=2", undefined],
    ["gzip;q=0.1234", undefined],
    ["gzip;q=-1", undefined],
    ["gzip;level=9", undefined],
    ["gzip;q=", undefined],
    ["gzip br", undefined],
    [", ,gzip,", "gzip"],
    ["constructor, __proto__", undefined],
  ])("%s: %s", (header, coding) => {
    expect(chooseCoding(header)).toBe(coding);
  });
});
