import { type Command, InvalidArgumentError } from "commander";
import type { RegistryCheck } from "#runtime/doctor/check-registries.js";
import { diagnose } from "#runtime/doctor/diagnose.js";
import type { DiagnosisStats, EventMark } from "#runtime/doctor/doctor-deps.js";
import { explanations, type Finding } from "#runtime/doctor/finding.js";
import { createRepair } from "#runtime/doctor/repair.js";
import type { RepairOutcome } from "#runtime/doctor/repair-outcome.js";
import { readSecretFiles } from "#runtime/settings/read-secret-files.js";
import type { App } from "../app.js";
import { openDoctor } from "../open-doctor.js";
import { audited } from "./audited.js";
import { createJsonReport, createTextReport, type Report } from "./doctor-report.js";
import { describeFailure } from "./failure.js";
import { fetchAnswer } from "./fetch-json.js";
import { Interruption } from "./interrupt-signal.js";
import { configuredIssuers } from "./issuer.js";
import { several } from "./option-values.js";
import { withApp } from "./with-app.js";

const EXIT_PROBLEMS_REMAIN = 1;
const EXIT_CHECK_FAILED = 2;

interface Options {
  readonly repair: boolean;
  readonly hash: boolean;
  readonly json: boolean;
  readonly expect: readonly EventMark[];
  readonly registries?: string;
}

export function addCommand(program: Command): void {
  program
    .command("doctor")
    .description("check that database, file store, queue and events agree; the service can be running")
    .option("--repair", "repair what can be repaired safely", false)
    .option("--no-hash", "check only existence and size of files, without reading them")
    .option(
      "--expect <position:hash>",
      "event that must still exist, as printed by an earlier run of doctor; repeatable",
      several(parseMark),
      [],
    )
    .option(
      "--registries <url>",
      "URL of a list of registries, as published by DCC: check whether these registries list the issuers of this service",
    )
    .option("--json", "print one JSON object per line: each finding, and a summary at the end", false)
    .addHelpText(
      "after",
      `
Exit code: 0 if there are no problems, or all were repaired; ${EXIT_PROBLEMS_REMAIN} if problems remain; ${EXIT_CHECK_FAILED} if the check could not be run.
Warnings don't affect the exit code.`,
    )
    .action(async (options: Options) => {
      try {
        await withApp(async (app, signal) => {
          const look = () => examine(app, options, signal);
          const isWell = await (options.repair ? audited(app, signal, "doctor --repair", {}, look) : look());
          process.exitCode = isWell ? 0 : EXIT_PROBLEMS_REMAIN;
        });
      } catch (error) {
        if (error instanceof Interruption) throw error;
        process.stderr.write(
          `${describeFailure(error, readSecretFiles(process.env).variables.DATABASE_URL).text}\n`,
        );
        process.exitCode = EXIT_CHECK_FAILED;
      }
    });
}

/** @returns true if nothing worse than a warning remains */
async function examine(app: App, options: Options, signal: AbortSignal): Promise<boolean> {
  // The public URL may be wrong here, and a repair prints it into regenerated files. This does no harm, because a
  // regenerated file that differs from the issued one is not stored.
  const deps = await openDoctor(app);
  const repair = options.repair ? createRepair(deps) : undefined;
  const stats: DiagnosisStats = { credentialFiles: 0, storedFiles: 0, assets: 0 };
  const report: Report = options.json ? createJsonReport() : createTextReport();
  let left = 0;
  const registries = options.registries === undefined ? undefined : registryCheck(app, options.registries);
  const diagnosis = {
    withHashes: options.hash,
    stats,
    now: new Date(),
    expected: options.expect,
    registries,
  };
  for await (const finding of diagnose(deps, diagnosis, signal)) {
    const repaired = await repair?.(finding);
    report.add(finding, repaired);
    if (isLeft(finding, repaired)) left++;
  }
  report.end(stats);
  return left === 0;
}

function registryCheck(app: App, url: string): RegistryCheck {
  return { url, issuers: [...configuredIssuers(app).values()], fetchAnswer };
}

function parseMark(text: string): EventMark {
  const [, position, hash] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (position === undefined || hash === undefined)
    throw new InvalidArgumentError(
      "It must be <position>:<hash>, where <hash> has 64 lower-case hexadecimal digits.",
    );
  return { position: Number(position), hash };
}

function isLeft({ kind }: Finding, repaired: RepairOutcome | undefined): boolean {
  return !explanations[kind].isWarning && repaired !== "repaired";
}
