import { setTimeout } from "node:timers/promises";
import { deflateSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import { createInspectAsset } from "#domain/assets/inspection/inspect-asset.js";
import { childProcesses } from "./child-processes.js";
import { armenian, charstring, openType } from "./make-font.js";
import { tinyJpeg } from "./make-jpeg.js";
import { endlessReferences, onePage, pdfkitTemplate, stream } from "./make-pdf.js";
import { chunk, header, plainPng, png } from "./make-png.js";
import { refusal } from "./refusal.js";

const onLinux = test.runIf(process.platform === "linux");
const MIB = 1024 * 1024;
const inspect = createInspectAsset();
const patience = () => AbortSignal.timeout(60_000);
vi.setConfig({ testTimeout: 240_000 });

const template = await pdfkitTemplate();
const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path d="M0 0h10v10z"/></svg>',
);
const empty = Buffer.alloc(0);

/** A font with subroutines that each call the next one twenty times: 20^10 strokes. */
const { call, end, line, move } = charstring;
const explosive = openType(
  [end, Buffer.concat([move, call(0), end])],
  Array.from({ length: 10 }, (_, i) =>
    Buffer.concat([...Array<Buffer>(20).fill(i < 9 ? call(i + 1) : line), charstring.return]),
  ),
);

const bomb = onePage({ content: stream("/Filter /FlateDecode", deflateSync(Buffer.alloc(250 * MIB))) });

const largest = png(header(), chunk("IDAT", Buffer.alloc(20 * MIB - 100)));

describe("an upload", () => {
  test.each([
    ["pdf", template],
    ["png", plainPng()],
    ["jpeg", tinyJpeg],
    ["svg", svg],
    ["font", armenian],
  ])("is recognised as a %s by its content", async (kind, bytes) => {
    expect(await inspect(bytes, patience())).toMatchObject({ kind });
  });

  test("is not modified, nor is the memory around it", async () => {
    const bytes = Buffer.concat([Buffer.from("%PDF-"), tinyJpeg, Buffer.from("%%EOF")]);
    const before = Buffer.from(bytes);
    expect(await inspect(bytes.subarray(5, -5), patience())).toEqual({ kind: "jpeg" });
    expect(bytes).toEqual(before);
  });

  test("is refused with the reason if it is empty, too large or of another kind", async () => {
    expect(await refusal(inspect(empty, patience()))).toBe("The file is empty (0 bytes): upload another.");
    expect(await refusal(inspect(Buffer.alloc(20 * MIB + 1), patience()))).toBe(
      "The file is 20.1 MiB: upload one of at most 20 MiB.",
    );
    expect(await refusal(inspect(Buffer.from("GIF89a"), patience()))).toBe(
      "The file is a GIF, which can't be used. Save it as PNG.",
    );
  });
});

describe("an upload that would need too much", () => {
  const within = createInspectAsset({ seconds: 1 });

  test("processor time, because of endless strokes, is refused", async () => {
    expect(await refusal(within(explosive, patience()))).toBe(
      "Reading the file took more than 1 seconds: upload a simpler one.",
    );
  });

  test("memory is refused", async () => {
    const small = createInspectAsset({ memoryMb: 64 });
    expect(await refusal(small(endlessReferences, patience()))).toBe(
      "Reading the file took more than 64 MiB of memory: upload a simpler one.",
    );
  });

  test("elapsed time is refused, too", async () => {
    const impatient = createInspectAsset({ waitMs: 20 });
    expect(await refusal(impatient(explosive, patience()))).toContain("more than 0.02 seconds");
  });

  onLinux("takes no more memory than it may, and leaves no process behind", async () => {
    let peakMb = 0;
    const watch = setInterval(() => {
      for (const child of childProcesses()) peakMb = Math.max(peakMb, child.peakMb);
    }, 5);
    const before = process.memoryUsage().rss;
    for (const bytes of [bomb, explosive, endlessReferences, largest]) {
      await refusal(within(bytes, patience()));
    }
    clearInterval(watch);
    expect(peakMb).toBeLessThan(400);
    expect((process.memoryUsage().rss - before) / MIB).toBeLessThan(100);
    expect(childProcesses()).toEqual([]);
  });

  test("doesn't block the calling process", async () => {
    let last = process.cpuUsage();
    let longestMs = 0;
    const watch = setInterval(() => {
      const { user, system } = process.cpuUsage(last);
      last = process.cpuUsage();
      longestMs = Math.max(longestMs, (user + system) / 1000);
    }, 5);
    await refusal(within(explosive, patience()));
    await refusal(within(bomb, patience()));
    await refusal(within(largest, patience()));
    clearInterval(watch);
    expect(longestMs).toBeLessThan(50);
  });
});

describe("an inspection whose caller has stopped waiting", () => {
  const reason = new Error("the caller hung up");

  test("doesn't begin", async () => {
    await expect(inspect(tinyJpeg, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  onLinux("ends at once", async () => {
    const caller = new AbortController();
    const inspection = inspect(explosive, caller.signal);
    while (childProcesses().length === 0) await setTimeout(5);
    caller.abort(reason);
    await expect(inspection).rejects.toBe(reason);
    expect(childProcesses()).toEqual([]);
  });

  onLinux("leaves the queue, in which one runs at a time", async () => {
    const first = new AbortController();
    const second = new AbortController();
    const inspections = [
      inspect(explosive, first.signal),
      inspect(explosive, second.signal),
      inspect(tinyJpeg, patience()),
    ];
    const outcomes = Promise.allSettled(inspections);
    while (childProcesses().length === 0) await setTimeout(5);
    second.abort(reason);
    await expect(inspections[1]).rejects.toBe(reason);
    await expect.poll(childProcesses).toHaveLength(1); // while the new process starts another program, it has no name
    first.abort(reason);
    expect(await outcomes).toEqual([
      { status: "rejected", reason },
      { status: "rejected", reason },
      { status: "fulfilled", value: { kind: "jpeg" } },
    ]);
  });
});
