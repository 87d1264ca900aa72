import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { createDocumentInspection } from "#domain/assets/inspection/document-inspection.js";
import { createInspectDocument } from "#domain/assets/inspection/inspect-asset.js";
import type { RunInspection } from "#domain/assets/inspection/run-inspection.js";
import { childProcesses } from "./child-processes.js";
import { endlessReferences, onePage, pdfkitTemplate } from "./make-pdf.js";
import { refusal } from "./refusal.js";

vi.setConfig({ testTimeout: 120_000 });

const LIMITS = { seconds: 5, waitMs: 60_000, memoryMb: 256 };
const PDF = { kind: "pdf" };
const document = await pdfkitTemplate();
const small = onePage({});
const broken = Buffer.from("%PDF-1.7 and nothing else");

/** A document that takes at least half a second of processor time. */
const long = onePage({ catalog: `/Long [${"[1] ".repeat(400_000)}]` });

const patience = () => AbortSignal.timeout(100_000);

describe.runIf(process.platform === "linux")("documents", () => {
  /** Returns the result of each document, and the processes that inspected them. */
  async function inspectAll(inspect: RunInspection, documents: Buffer[], limits = LIMITS) {
    const others = pids();
    const used = new Set<number>();
    const verdicts: unknown[] = [];
    for (const each of documents) {
      const verdict = inspect(each, limits, patience());
      for (const pid of pids()) if (!others.has(pid)) used.add(pid);
      verdicts.push(await verdict);
    }
    return { verdicts, processes: used.size };
  }
  const pids = () => new Set(childProcesses("documents").map(({ pid }) => pid));

  test("are inspected by one process, whether accepted or refused", async () => {
    const many = Array.from({ length: 30 }, (_, index) => [document, broken, small][index % 3] as Buffer);
    const { verdicts, processes } = await inspectAll(createDocumentInspection(), many);
    expect(processes).toBe(1);
    verdicts.forEach((verdict, index) => {
      if (index % 3 === 1) expect(verdict).toEqual({ refusal: expect.stringContaining("broken page tree") });
      else expect(verdict).toEqual(PDF);
    });
  });

  test("get another process when the first has inspected its maximum", async () => {
    const inspect = createDocumentInspection({ seconds: 60, documents: 3 });
    const { verdicts, processes } = await inspectAll(inspect, Array(7).fill(small));
    expect(verdicts).toEqual(Array(7).fill(PDF));
    expect(processes).toBe(3);
  });

  test("that take too much processor time or memory are refused, and the next one is inspected", async () => {
    for (const [more, tooMuch, reported] of [
      [{ seconds: 0.2 }, long, "0.2 seconds"],
      [{ memoryMb: 64 }, endlessReferences, "64 MiB of memory"],
    ] as const) {
      const documents = [small, tooMuch, small];
      const { verdicts } = await inspectAll(createDocumentInspection(), documents, { ...LIMITS, ...more });
      expect(verdicts).toEqual([
        PDF,
        { refusal: `Reading the file took more than ${reported}: upload a simpler one.` },
        PDF,
      ]);
    }
  });

  test("that take too much elapsed time are refused", async () => {
    const inspect = createInspectDocument({ waitMs: 20 });
    expect(await refusal(inspect(long, patience()))).toContain("more than 0.02 seconds");
  });

  test("are inspected even if their process was killed, idle or busy", async () => {
    const inspect = createDocumentInspection();
    const others = pids();
    expect(await inspect(small, LIMITS, patience())).toEqual(PDF);
    const kill = () => {
      for (const pid of pids()) if (!others.has(pid)) process.kill(pid, "SIGKILL");
    };
    kill();
    expect(await inspect(small, LIMITS, patience())).toEqual(PDF);
    const verdict = inspect(long, LIMITS, patience());
    kill();
    expect(await verdict).toEqual(PDF);
  });

  test("whose callers stop waiting are dropped, and the next one is inspected", async () => {
    const inspect = createDocumentInspection();
    const caller = new AbortController();
    const reason = new Error("the caller hung up");
    const verdict = inspect(long, LIMITS, caller.signal);
    await sleep(1);
    caller.abort(reason);
    await expect(verdict).rejects.toBe(reason);
    await expect(inspect(small, LIMITS, caller.signal)).rejects.toBe(reason);
    expect(await inspect(small, LIMITS, patience())).toEqual(PDF);
  });
});
