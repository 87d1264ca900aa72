import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Argument, Command } from "commander";
import { startEmbeddedPostgres } from "../../src/db/embedded-postgres.js";
import type { Figure } from "./figure.js";
import { configured } from "./figures/configured.js";
import { eligibility } from "./figures/eligibility.js";
import { generation } from "./figures/generation.js";
import { grpcMetadata } from "./figures/grpc-metadata.js";
import { importing } from "./figures/import.js";
import { interference } from "./figures/interference.js";
import { issuanceRun } from "./figures/issuance-run.js";
import { listEligible } from "./figures/list-eligible.js";
import { metadata } from "./figures/metadata.js";
import { pdfBuiltIn, pdfTemplate, pdfTemplateArabic } from "./figures/pdf.js";
import { type Line, table } from "./report.js";
import { measure } from "./rounds.js";
import { openStage } from "./stage.js";

const figures: readonly Figure[] = [
  importing,
  listEligible,
  issuanceRun,
  metadata,
  grpcMetadata,
  configured,
  eligibility,
  pdfBuiltIn,
  pdfTemplate,
  pdfTemplateArabic,
  generation,
  interference,
];

interface Options {
  rounds: string;
  short: boolean;
  json: string;
  profile?: string;
}

await new Command("bench")
  .description("Measures figures as ratios to bare baselines.")
  .addArgument(new Argument("[figures...]", "all unless given").choices(figures.map(({ name }) => name)))
  .option("--rounds <number>", "how often both sides are measured, after a warm-up", "5")
  .option("--short", "smaller amounts and one round, for a quick look", false)
  .option("--json <path>", "where the result is written", join(tmpdir(), "learning-credentials-bench.json"))
  .option("--profile <directory>", "write CPU profiles of the service")
  .action(run)
  .parseAsync();

async function run(names: string[], options: Options): Promise<void> {
  const chosen = figures.filter(({ name }) => names.length === 0 || names.includes(name));
  const dataDir = await mkdtemp(join(tmpdir(), "learning-credentials-bench-"));
  const postgres = await startEmbeddedPostgres({ dataDir });
  try {
    const lines: Line[] = [];
    for (const figure of chosen) {
      const line = await measureFigure(figure, postgres.url, options);
      console.log(`${line.figure.name}: ${line.figure.subject}\n  to ${line.figure.baseline}`);
      lines.push(line);
    }
    console.log(`\n${table(lines)}`);
    const result = { short: options.short, rounds: roundsOf(options), figures: lines };
    await writeFile(options.json, `${JSON.stringify(result, undefined, 2)}\n`);
    console.log(`\nAlso in ${options.json}`);
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measureFigure(figure: Figure, serverUrl: string, options: Options): Promise<Line> {
  const { prepare, ...described } = figure;
  const stage = await openStage(serverUrl, figure.name.replaceAll("-", "_"), {
    isShort: options.short,
    profileDir: options.profile && join(options.profile, figure.name),
  });
  try {
    const contest = await prepare(stage);
    return { figure: described, ...(await measure(contest, roundsOf(options))) };
  } finally {
    await stage.close();
  }
}

function roundsOf({ rounds, short }: Options): number {
  return short ? 1 : Number(rounds);
}
