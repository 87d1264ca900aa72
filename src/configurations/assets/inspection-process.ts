import { writeSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { Problem } from "../../errors.js";
import type { CharacterRanges } from "../../rendering/generator.js";
import { inspectContent } from "./inspect-content.js";
import type { Verdict } from "./run-inspection.js";

/** The process of one inspection: see `run-inspection.ts`. */
const VERDICT_FD = 3;

console.warn = () => {}; // pdf-lib warns of each number that it finds too large

const judge = process.argv[2] === "document" ? judgeDocument : judgeAsset;
writeSync(VERDICT_FD, JSON.stringify(await judge(await buffer(process.stdin))));
process.exit(); // a library may have left work behind

function judgeAsset(bytes: Uint8Array): Promise<Verdict> {
  return orRefusal(async () => {
    const kind = await inspectContent(bytes);
    return kind === "font" ? { kind, characters: await charactersOf(bytes) } : { kind };
  });
}

function judgeDocument(bytes: Buffer): Promise<Verdict> {
  return orRefusal(async () => {
    const { inspectDocument } = await import("./inspect-pdf.js");
    await inspectDocument(bytes);
    return { kind: "pdf" };
  });
}

async function orRefusal(judge: () => Promise<Verdict>): Promise<Verdict> {
  try {
    return await judge();
  } catch (error) {
    if (error instanceof Problem) return { refusal: error.message };
    throw error;
  }
}

async function charactersOf(bytes: Uint8Array): Promise<CharacterRanges> {
  const { openFont } = await import("../../rendering/font.js");
  const ranges: [number, number][] = [];
  for (const codePoint of openFont(bytes).characters()) {
    const last = ranges.at(-1);
    if (last && codePoint === last[1] + 1) last[1] = codePoint;
    else ranges.push([codePoint, codePoint]);
  }
  return ranges;
}
