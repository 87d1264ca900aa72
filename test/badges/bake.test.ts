import { crc32 } from "node:zlib";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import { expect, test } from "vitest";
import { asciiJson } from "#formats/badges/ascii-json.js";
import { bakePng } from "#formats/badges/bake-png.js";
import { bakeSvg } from "#formats/badges/bake-svg.js";
import { openBadge } from "#formats/badges/open-badge.js";
import { unbakePng } from "#formats/badges/unbake-png.js";
import { unbakeSvg } from "#formats/badges/unbake-svg.js";
import { facts } from "./sample.js";

const tricky = { ...facts, holder: { ...facts.holder, name: 'Ana {"x"} ]]> Kovač 😀' } };
const badge = asciiJson(openBadge(tricky));
const jwt = "eyJhbGciOiJFUzI1NiJ9.e30.AAAA";

function picture(): Buffer {
  const canvas = createCanvas(8, 8);
  const context = canvas.getContext("2d");
  context.fillStyle = "#1f4a5f";
  context.fillRect(0, 0, 8, 8);
  return canvas.toBuffer("image/png");
}

test("a badge is read back from a PNG, which a browser's decoder shows as before", async () => {
  for (const text of [badge, jwt]) {
    const baked = bakePng(picture(), text);
    expect(unbakePng(baked)).toBe(text);
    const { width, height } = await loadImage(baked);
    expect([width, height]).toEqual([8, 8]);
  }
});

test("baking again replaces the badge", () => {
  const baked = bakePng(bakePng(picture(), jwt), badge);
  expect(unbakePng(baked)).toBe(badge);
  expect(baked.toString("latin1").split("openbadgecredential")).toHaveLength(2);
});

test("a wallet that counts braces finds the JSON in the picture", () => {
  const text = bakePng(picture(), badge).toString("latin1");
  let depth = 0;
  let end = text.indexOf('{"@context"');
  const start = end;
  do {
    if (text[end] === "{") depth++;
    if (text[end] === "}") depth--;
    end++;
  } while (depth > 0);
  expect(JSON.parse(text.slice(start, end))).toEqual(openBadge(tricky));
});

test.each([
  ["no PNG", Buffer.from("GIF89a")],
  ["one that is cut off", picture().subarray(0, 60)],
  ["one with a byte changed", changedByte(picture())],
])("%s is refused", (_what, bytes) => {
  expect(() => bakePng(bytes, badge)).toThrow(RangeError);
  expect(unbakePng(bytes)).toBeUndefined();
});

test("the size of a badge and the number of chunks are bounded", () => {
  const withText = (length: number) => bakePng(picture(), "x".repeat(length));
  expect(unbakePng(withText(256 * 1024 - 4))).toHaveLength(256 * 1024 - 4);
  expect(unbakePng(withText(256 * 1024))).toBeUndefined();

  const baked = bakePng(picture(), jwt);
  const end = baked.subarray(-12);
  const empty = Buffer.from([0, 0, 0, 0, ...Buffer.from("aaAa"), ...crcOf("aaAa")]);
  const withChunks = (count: number) =>
    Buffer.concat([baked.subarray(0, -12), ...Array<Buffer>(count).fill(empty), end]);
  expect(unbakePng(withChunks(9_000))).toBe(jwt);
  expect(unbakePng(withChunks(10_000))).toBeUndefined();
  expect(() => bakePng(withChunks(10_000), jwt)).toThrow(/more than 10000 chunks/);
});

function crcOf(type: string): Buffer {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(Buffer.from(type)));
  return checksum;
}

test("a PNG without a badge has none", () => {
  expect(unbakePng(picture())).toBeUndefined();
});

test("a badge is read back from an SVG", () => {
  const svg =
    '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" aria-label="a > b"><circle r="4"/></svg>';
  for (const text of [badge, jwt]) {
    const baked = bakeSvg(svg, text);
    expect(baked).toMatch(/<svg [^<]*><openbadges:credential/);
    expect(baked).toContain('<circle r="4"/></svg>');
    const read = unbakeSvg(baked) ?? "";
    expect(read.startsWith("{") ? JSON.parse(read) : read).toEqual(text === jwt ? jwt : openBadge(tricky));
    expect(() => bakeSvg(baked, text)).toThrow(/already contains a badge/);
  }
  expect(unbakeSvg(svg)).toBeUndefined();
});

test.each(["", "<html></html>", '<svg xmlns="http://www.w3.org/2000/svg"/>'])(
  "%j is not an SVG that can carry a badge",
  (text) => {
    expect(() => bakeSvg(text, badge)).toThrow(RangeError);
  },
);

function changedByte(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy[40] = (copy[40] ?? 0) ^ 1;
  return copy;
}
