import { deflateRawSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { inspectContent } from "#domain/assets/inspection/inspect-content.js";
import { refusal } from "./refusal.js";

const latin1 = (text: string) => Buffer.from(text.padEnd(100, "\0"), "latin1");

describe("a file of another kind is refused by its name", () => {
  test.each<[string, Buffer]>([
    ["plain text", Buffer.from("Dear colleagues,\n\nplease find attached …")],
    ["plain text", Buffer.from("%PDF")],
    ["a web page (HTML)", Buffer.from("\n<!doctype html><title>Certificate</title>")],
    ["a web page (HTML)", Buffer.from("<html><body><svg></svg></body></html>")],
    ["XML, but not an SVG drawing", Buffer.from('<?xml version="1.0"?><feed/>')],
    ["text in UTF-16", Buffer.from("\uFEFF<svg/>", "utf16le")],
    ["a ZIP archive or an office document", Buffer.concat([latin1("PK\x03\x04"), deflateRawSync("x")])],
    ["a gzip archive", gzipSync("<svg/>")],
    ["a GIF", latin1("GIF89a")],
    ["a WebP image", latin1("RIFF\x10\0\0\0WEBPVP8 ")],
    ["a TIFF or raw image", latin1("II*\0")],
    ["a BMP image", latin1("BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0")],
    ["a HEIF image", latin1("\0\0\0\x18ftypheic")],
    ["a video", latin1("\0\0\0\x18ftypisom")],
    ["a JPEG 2000 image", latin1("\0\0\0\x0cjP  \r\n\x87\n")],
    ["an office document", latin1("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")],
    ["a PostScript file", latin1("%!PS-Adobe-3.0")],
    ["a program", latin1("\x7fELF")],
    ["a collection of fonts", latin1("ttcf")],
    ["a web font (WOFF)", latin1("wOFF")],
    ["a web font (WOFF2)", latin1("wOF2")],
    ["a Type 1 font", latin1("%!PS-AdobeFont-1.0")],
    ["of an unknown kind", latin1("\x01\x02\x03\x04")],
  ])("%s", async (what, bytes) => {
    expect(await refusal(inspectContent(bytes))).toContain(`The file is ${what}`);
  });

  test("and so is a PDF that follows other data", async () => {
    const bytes = Buffer.from("\0\0\0\0%PDF-1.7\n");
    expect(await refusal(inspectContent(bytes))).toContain("has other data before its start");
  });
});
