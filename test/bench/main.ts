import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Argument, Command } from "commander";
import { figures } from "./figures/all.js";
import { guard, record } from "./guard.js";
import { mergeRuns } from "./merge-runs.js";
import { type Line, markdownTable, table } from "./report.js";
import { withBench } from "./with-bench.js";

interface Result {
  readonly short: boolean;
  readonly figures: readonly Line[];
}

const program = new Command("bench").description("Measures figures beside bare baselines.");

program
  .command("measure", { isDefault: true })
  .description("measure, print a table, and write JSON; the default")
  .addArgument(new Argument("[figures...]", "all unless given").choices(figures.map(({ name }) => name)))
  .option(
    "--rounds <number>",
    "how often both sides are measured, after a warm-up; by default 3, and 1 when short",
  )
  .option("--short", "smaller amounts, and processor time: for a quick look, also on a busy machine", false)
  .option("--json <path>", "where the result is written", join(tmpdir(), "learning-credentials-bench.json"))
  .option("--profile <directory>", "write CPU profiles of the service")
  .action(measureAll);

program
  .command("guard")
  .description("fail when a figure has fallen to less than half of what is recorded, in a minute")
  .action(async () => {
    if (!(await guard())) process.exitCode = 1;
  });

program.command("record").description("record what `guard` compares with").action(record);

program
  .command("table")
  .description(
    "print the table of .docs/speed.md from the JSON of several runs: medians, and the spread between runs",
  )
  .argument("<json...>")
  .action(async (paths: string[]) => {
    const runs = await Promise.all(
      paths.map(async (path) => JSON.parse(await readFile(path, "utf8")) as Result),
    );
    console.log(markdownTable(mergeRuns(runs.map((run) => run.figures))));
  });

await program.parseAsync();

async function measureAll(
  names: string[],
  options: { rounds?: string; short: boolean; json: string; profile?: string },
): Promise<void> {
  const chosen = figures.filter(({ name }) => names.length === 0 || names.includes(name));
  const lines: Line[] = [];
  const rounds = Number(options.rounds ?? (options.short ? 1 : 3));
  await withBench({ ...options, rounds }, async (measure) => {
    for (const figure of chosen) {
      const started = performance.now();
      lines.push(await measure(figure));
      const seconds = Math.round((performance.now() - started) / 1000);
      console.log(`${figure.name} (${seconds} s): ${figure.subject}\n  beside ${figure.baseline}`);
    }
  });
  console.log(`\n${table(lines)}`);
  const result: Result = { short: options.short, figures: lines };
  await writeFile(options.json, `${JSON.stringify(result, undefined, 2)}\n`);
  console.log(`\nAlso in ${options.json}`);
}
