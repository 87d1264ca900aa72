import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "#infrastructure/db/embedded/postgres.js";
import type { Figure } from "./figure.js";
import type { Line } from "./report.js";
import { measure } from "./rounds.js";
import { openStage, type Server } from "./stage.js";

export interface BenchOptions {
  /** Number of rounds after the warm-up. Each round measures both sides of a figure. */
  readonly rounds: number;
  /** Whether to use smaller amounts, and to measure processor time. */
  readonly short: boolean;
  /** Directory for CPU profiles of the service. */
  readonly profile?: string;
}

/** Runs `work`, which measures figures. Starts a Postgres for it. */
export async function withBench(
  options: BenchOptions,
  work: (measure: (figure: Figure) => Promise<Line>) => Promise<void>,
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "learning-credentials-bench-"));
  const postgres = await startEmbeddedPostgres({ dataDir });
  try {
    const server: Server = { url: postgres.url, shared: new Map() };
    await work((figure) => measureFigure(figure, server, options));
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measureFigure(figure: Figure, server: Server, options: BenchOptions): Promise<Line> {
  const { prepare, rounds = options.rounds, ...described } = figure;
  const unit = options.short ? figure.unit.replace(/\/s$/, "/CPU s") : figure.unit;
  const stage = await openStage(server, figure.name.replaceAll("-", "_"), {
    isShort: options.short,
    profileDir: options.profile && join(options.profile, figure.name),
  });
  try {
    return { figure: { ...described, unit }, ...(await measure(await prepare(stage), rounds)) };
  } finally {
    await stage.close();
  }
}
