import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { cancelIssuanceRun } from "#domain/credentials/runs/cancel-issuance-run.js";
import type {
  IssuancePlan,
  IssuanceRun,
  PlannedLearner,
  RunReport,
  SkippedCounts,
} from "#domain/credentials/runs/issuance-run.js";
import { retryIssuanceRun } from "#domain/credentials/runs/retry-issuance-run.js";
import { listRuns } from "#domain/credentials/runs/run-store.js";
import { startIssuanceRun } from "#domain/credentials/runs/start-issuance-run.js";
import { watchIssuanceRun } from "#domain/credentials/runs/watch-issuance-run.js";
import { printable } from "#foundation/text/quoted.js";
import type { Database } from "#infrastructure/db/database.js";
import { COMMAND_LINE } from "#infrastructure/identity/actors.js";
import { hasWorker } from "#infrastructure/jobs/queue-health.js";
import type { App } from "../app.js";
import { issuingDepsOf } from "../dependencies.js";
import { audited } from "./audited.js";
import { checkPlatformName } from "./check-platform-name.js";
import { canAsk, confirm, withYes } from "./confirm.js";
import { parseId } from "./parse-id.js";
import { print } from "./print.js";
import { showProgress } from "./progress.js";
import { withApp } from "./with-app.js";

/** Maximum number of learners of each kind shown in a plan, and of runs in a list. */
const SHOWN = 20;

const GOES_ON = "the run continues; `run list` shows it, `run watch` follows it";

interface StartOptions {
  readonly dryRun: boolean;
  readonly all: boolean;
  readonly planHash?: string;
  readonly skipEmail: boolean;
  readonly wait: boolean;
  readonly yes: boolean;
}

export function addCommand(program: Command): void {
  const run = withYes(
    program
      .command("run")
      .description(
        "issue a credential to all eligible learners who have none; a running service or worker generates the PDFs",
      ),
  )
    .enablePositionalOptions()
    .argument("<configuration-id>", "the credential configuration to issue under", parseId)
    .option("--dry-run", "show who would be issued a credential, without issuing any", false)
    .option("--all", "list every learner with the name that would be printed, not only the first ones", false)
    .option("--plan-hash <hash>", "start only if the plan is still the one shown by --dry-run")
    .option("--skip-email", "don't send emails to the learners", false)
    .option("--no-wait", "exit when the run has started")
    .addHelpText(
      "after",
      `
On a terminal, the command shows the plan and asks for confirmation, unless --plan-hash is given. The exit code is 1 if
any credential of the run failed. Ctrl-C stops the display, but not the run.`,
    )
    .action((configurationId: number, options: StartOptions) =>
      withApp((app, signal) => startRun(app, configurationId, options, signal), GOES_ON),
    );

  run
    .command("watch")
    .description("show the progress of a run until it ends")
    .argument("<run-id>", "run ID, as shown by `run list`")
    .action((id: string) =>
      withApp(
        (app, signal) =>
          audited(app, signal, "run watch", aboutRun(id), () => follow(app.database, id, signal)),
        GOES_ON,
      ),
    );

  run
    .command("retry")
    .description("retry the failed credentials of a run, and show its progress")
    .argument("<run-id>", "run ID, as shown by `run list`")
    .option("--no-wait", "exit when the retry has started")
    .action((id: string, options: Pick<StartOptions, "wait">) =>
      withApp(async (app, signal) => {
        await checkPlatformName(app);
        const parts = issuingDepsOf(app);
        const report = await audited(app, signal, "run retry", aboutRun(id), () =>
          retryIssuanceRun(parts, { id, retriedBy: COMMAND_LINE }, signal),
        );
        print(`${report.run.generatingCount} credentials are being generated again.`);
        if (options.wait) await follow(app.database, id, signal);
      }, GOES_ON),
    );

  run
    .command("cancel")
    .description("cancel a run: credentials that are not available yet fail")
    .argument("<run-id>", "run ID, as shown by `run list`")
    .action((id: string) =>
      withApp((app, signal) =>
        audited(app, signal, "run cancel", aboutRun(id), async () =>
          showReport(await cancelIssuanceRun(app.database, { id, cancelledBy: COMMAND_LINE }, signal)),
        ),
      ),
    );

  run
    .command("list")
    .description(`list the newest ${SHOWN} runs`)
    .action(() =>
      withApp(async ({ database }) => {
        for (const each of await listRuns(database.knex, { configurationId: 0 }, 0, SHOWN)) {
          print(`${each.startedAt.toISOString()}  configuration ${each.configurationId}  ${summary(each)}`);
        }
      }),
    );
}

async function startRun(
  app: App,
  configurationId: number,
  options: StartOptions,
  signal: AbortSignal,
): Promise<void> {
  if (!options.dryRun) await checkPlatformName(app);
  const about = { others: [`configuration:${configurationId}`] };
  let learners: PlannedLearner[] = [];
  const start = (dryRun: boolean, planHash: string | undefined) => {
    learners = [];
    return audited(app, signal, dryRun ? "run --dry-run" : "run", about, () => {
      const starting = {
        configurationId,
        startedBy: COMMAND_LINE,
        dryRun,
        skipsEmail: options.skipEmail,
        ...(planHash && { planHash }),
        ...(options.all && { onLearner: (each: PlannedLearner) => void learners.push(each) }),
      };
      return startIssuanceRun(issuingDepsOf(app), starting, signal);
    });
  };
  let { planHash } = options;
  const isToAsk = !options.dryRun && planHash === undefined && canAsk(options);
  if (isToAsk) {
    const { plan } = await start(true, undefined);
    showPlan(plan, learners);
    if (plan.issueCount > 0) await confirm(`Issue ${plan.issueCount} credentials?`, signal);
    planHash = plan.hash;
  }
  const { plan, run } = await start(options.dryRun, planHash);
  if (!isToAsk) showPlan(plan, learners);
  if (run) print(`Run ${run.id} has started.`);
  if (run && options.wait) await follow(app.database, run.id, signal);
}

function aboutRun(id: string) {
  return { others: [`run:${id}`] };
}

async function follow(database: Database, id: string, signal: AbortSignal): Promise<void> {
  let last: RunReport | undefined;
  let progress: ReturnType<typeof showProgress> | undefined;
  try {
    for await (const report of watchIssuanceRun(database, id, signal)) {
      const { issuedCount, generatingCount, failedCount, state } = report.run;
      last = report;
      if (state === "running") progress ??= await beginProgress(database, issuedCount);
      const done = issuedCount - generatingCount;
      progress?.update(done, done, failedCount > 0 ? `${failedCount} failed` : "");
    }
  } finally {
    progress?.stop();
  }
  if (!last) return;
  showReport(last);
  if (last.run.failedCount > 0) process.exitCode = 1;
}

async function beginProgress(
  database: Database,
  issuedCount: number,
): Promise<ReturnType<typeof showProgress>> {
  const isMade = await areJobsTaken(database);
  const progress = showProgress("generating documents", issuedCount, "credentials");
  if (!isMade) progress.say("No worker is running: start `serve` or `worker`, which generate the documents.");
  return progress;
}

/**
 * Returns whether a worker takes jobs. Workers usually take enqueued jobs at once, and within two seconds if the
 * notification is lost.
 */
async function areJobsTaken({ knex }: Database): Promise<boolean> {
  for (let looks = 0; looks < 10; looks++) {
    if (await hasWorker(knex)) return true;
    await sleep(300);
  }
  return false;
}

/** @param learners all of them, if they are to be shown */
function showPlan(plan: IssuancePlan, learners: readonly PlannedLearner[]): void {
  const { hash, issueCount, learners: planned, retryCount, skipped, skippedLearners, warnings } = plan;
  const retried = retryCount === 0 ? "" : ` (${retryCount} of them have failed before)`;
  print(`${issueCount} credentials to issue${retried}${issueCount === 0 ? "" : ", to:"}`);
  if (learners.length === 0) {
    showSome(
      planned.map(({ username }) => username),
      issueCount,
    );
  }
  for (const { username, userFullName, detail } of learners) {
    if (detail === undefined) print(`  ${printable(`${username}  ${userFullName}`, 400)}`);
  }
  const passedOver = Object.entries(skipped) as [keyof SkippedCounts, number][];
  for (const [reason, count] of passedOver) if (count > 0) print(`${count} skipped: ${reasons[reason]}`);
  const unnamed =
    learners.length === 0 ? skippedLearners : learners.filter(({ detail }) => detail !== undefined);
  const shown = learners.length === 0 ? SHOWN : Number.POSITIVE_INFINITY;
  showSome(
    unnamed.map(({ username, detail }) => `${username}: ${detail}`),
    skipped.no_full_name + skipped.unprintable_name,
    shown,
  );
  for (const warning of warnings) print(`Warning: ${printable(warning, 1000)}`);
  print(`Plan hash: ${hash}`);
}

const reasons: Record<keyof SkippedCounts, string> = {
  has_credential: "they have a credential",
  not_earned_anew: "their credential can be renewed, but they have no new results since it was issued",
  withdrawn: "their credential was invalidated: issue another one to each of them with `issue`",
  not_claimed: "their configuration requires a claim, and they haven't claimed the credential",
  no_full_name: "they have no full name",
  unprintable_name: "no font can print their names",
  unknown_learner: "there is no record of them",
  not_eligible: "they are not eligible",
  invalid: "their rows can't be read",
};

function showSome(lines: readonly string[], count: number, shown = SHOWN): void {
  for (const line of lines.slice(0, shown)) print(`  ${printable(line, 400)}`);
  if (count > shown) print(`  and ${count - shown} more`);
}

function showReport({ run, failures }: RunReport): void {
  print(`Run ${summary(run)}`);
  showSome(
    failures.map(({ username, uuid, reason }) => `${username} (${uuid}): ${reason}`),
    run.failedCount,
  );
  if (run.failedCount > 0) print(`To retry failed credentials: run retry ${run.id}`);
}

function summary({
  id,
  state,
  issuedCount,
  availableCount,
  failedCount,
  generatingCount,
}: IssuanceRun): string {
  const going = generatingCount > 0 ? `, ${generatingCount} being generated` : "";
  return `${id}: ${state}, ${availableCount} of ${issuedCount} available${going}, ${failedCount} failed`;
}
