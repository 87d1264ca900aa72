import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Figure } from "./figure.js";
import { figures } from "./figures/all.js";
import { withBench } from "./with-bench.js";

/** Figures that are meaningful within seconds. The others need a full run. */
const guarded = [
  "metadata",
  "eligibility",
  "grpc-metadata",
  "list-eligible",
  "eligibility-tree",
  "list-eligible-tree",
  "run-tree",
  "import",
  "pdf-built-in",
  "pdf-template",
  "badge-sign",
];

/**
 * File with the recorded ratio of each figure. The ratios were measured in the short form, and differ from those of a
 * full run.
 */
const RECORDED = join(import.meta.dirname, "recorded.json");
const ROUNDS_RECORDED = 5;

/** The short form measures processor time. Other processes can still distort it, but hardly three times in a row. */
const ATTEMPTS = 3;

/**
 * Measures the guarded figures.
 * @returns whether every ratio is at least half of the recorded ratio
 */
export async function guard(): Promise<boolean> {
  const recorded: Record<string, number> = JSON.parse(await readFile(RECORDED, "utf8"));
  const fallen: string[] = [];
  await withBench({ rounds: 1, short: true }, async (measure) => {
    for (const figure of guardedFigures()) {
      const { name } = figure;
      const once = recorded[name];
      if (once === undefined) throw new Error(`${name} is not recorded: run \`npm run bench record\`.`);
      let ratio = 0;
      for (let attempt = 0; attempt < ATTEMPTS && ratio < once / 2; attempt++)
        ratio = (await measure(figure)).ratio.median;
      console.log(`${name}: ${ratio.toFixed(2)}, recorded ${once.toFixed(2)}`);
      if (ratio < once / 2) fallen.push(name);
    }
  });
  if (fallen.length > 0) console.log(`Less than half of what is recorded: ${fallen.join(", ")}`);
  return fallen.length === 0;
}

/** Measures the ratios and writes their medians. */
export async function record(): Promise<void> {
  const recorded: Record<string, number> = {};
  await withBench({ rounds: ROUNDS_RECORDED, short: true }, async (measure) => {
    for (const figure of guardedFigures()) {
      const { median, lowest, highest } = (await measure(figure)).ratio;
      console.log(`${figure.name}: ${median.toFixed(2)} (${lowest.toFixed(2)}-${highest.toFixed(2)})`);
      recorded[figure.name] = Number(median.toFixed(2));
    }
  });
  await writeFile(RECORDED, `${JSON.stringify(recorded, undefined, 2)}\n`);
}

function guardedFigures(): Figure[] {
  return figures.filter(({ name }) => guarded.includes(name));
}
