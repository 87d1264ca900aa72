import { writeSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { Problem } from "../../errors.js";
import { inspectContent } from "./inspect-content.js";
import type { Verdict } from "./run-inspection.js";

/** The process of one inspection: see `run-inspection.ts`. */
const VERDICT_FD = 3;

console.warn = () => {}; // pdf-lib warns of each number that it finds too large

writeSync(VERDICT_FD, JSON.stringify(await judge(await buffer(process.stdin))));
process.exit(); // a library may have left work behind

async function judge(bytes: Uint8Array): Promise<Verdict> {
  try {
    return { kind: await inspectContent(bytes) };
  } catch (error) {
    if (error instanceof Problem) return { refusal: error.message };
    throw error;
  }
}
