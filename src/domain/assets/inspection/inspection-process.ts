import { writeSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import type { CharacterRanges } from "#formats/rendering/generator.js";
import { Problem } from "#foundation/errors.js";
import { watchProcessorTime } from "./processor-watch.js";
import type { InspectionVerdict } from "./run-inspection.js";

/** File descriptor for verdicts. This file is the entry point of inspection processes: see `inspection-child.ts`. */
const VERDICT_FD = 3;

console.warn = () => {}; // pdf-lib warns about every number that it considers too large

const [what, ...args] = process.argv.slice(2);
if (what === "documents") await judgeDocuments(args.map(Number));
else sendMessage(await judgeAsset(await buffer(process.stdin)));
process.exit(); // ends the process even if a library has left timers or handles open

function sendMessage(verdict: InspectionVerdict & { isLast?: true }): void {
  writeSync(VERDICT_FD, `${JSON.stringify(verdict)}\n`);
}

function judgeAsset(bytes: Uint8Array): Promise<InspectionVerdict> {
  return verdictOrRefusal(async () => {
    const { inspectContent } = await import("./inspect-content.js");
    const kind = await inspectContent(bytes);
    return kind === "font" ? { kind, characters: await charactersOf(bytes) } : { kind };
  });
}

/** Inspects documents from the input. Each document is preceded by its length, in four bytes. */
async function judgeDocuments([seconds = 0, lifeSeconds = 0, lifeDocuments = 0]: number[]): Promise<void> {
  const { inspectDocument } = await import("./inspect-pdf.js");
  const watch = watchProcessorTime(seconds);
  let count = 0;
  for await (const bytes of uploads()) {
    watch.begin();
    const verdict = await verdictOrRefusal(async () => {
      await inspectDocument(bytes);
      return { kind: "pdf" };
    });
    watch.end();
    count += 1;
    const { user, system } = process.cpuUsage();
    const isLast = count >= lifeDocuments || (user + system) / 1e6 >= lifeSeconds;
    sendMessage(isLast ? { ...verdict, isLast } : verdict);
    if (isLast) return;
  }
}

async function* uploads(): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length < 4) continue;
    const wanted =
      4 + ((chunks[0] as Buffer).length >= 4 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).readUInt32BE();
    if (length < wanted) continue;
    const all = Buffer.concat(chunks); // nothing follows, because documents are sent one at a time
    chunks = [];
    length = 0;
    yield all.subarray(4);
  }
}

async function verdictOrRefusal(judge: () => Promise<InspectionVerdict>): Promise<InspectionVerdict> {
  try {
    return await judge();
  } catch (error) {
    if (error instanceof Problem) return { refusal: error.message };
    throw error;
  }
}

async function charactersOf(bytes: Uint8Array): Promise<CharacterRanges> {
  const { openFont } = await import("#formats/rendering/text/font.js");
  const ranges: [number, number][] = [];
  for (const codePoint of openFont(bytes).characters()) {
    const last = ranges.at(-1);
    if (last && codePoint === last[1] + 1) last[1] = codePoint;
    else ranges.push([codePoint, codePoint]);
  }
  return ranges;
}
