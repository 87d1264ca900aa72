import { setTimeout as sleep } from "node:timers/promises";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import type { Command } from "commander";
import { type Act, actOf } from "#api/pipeline/recorded-act.js";
import { issuingHandlers } from "#api/services/credentials/issuing-handlers.js";
import { numbersByName } from "#api/services/requests/parse-enum.js";
import { NAME_REASONS } from "#domain/credentials/issuance/learners-to-skip.js";
import type { PlannedLearner } from "#domain/credentials/runs/issuance-run.js";
import { printable } from "#foundation/errors.js";
import { counted } from "#foundation/text/counted.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import {
  type IssuancePlan,
  type IssuanceRun,
  IssuanceRunState,
  SkipReason,
} from "#gen/learning_credentials/v1/issuance_run_pb.js";
import type { Database } from "#infrastructure/db/database.js";
import { hasWorker } from "#infrastructure/jobs/queue-health.js";
import type { App } from "../app.js";
import { issuingDepsOf } from "../dependencies.js";
import { checkPlatformName } from "./check-platform-name.js";
import { addYesOption, confirm, shouldConfirm } from "./confirm.js";
import { localClient } from "./local-client.js";
import { parseId } from "./parse-id.js";
import { print } from "./print.js";
import { showProgress } from "./progress.js";
import { withApp } from "./with-app.js";

/** Maximum number of learners of each kind in a plan, and of runs in a list. */
const MAX_SHOWN = 20;

const CONTINUATION = "the run continues; `run list` shows it, `run watch` follows it";

interface StartOptions {
  readonly dryRun: boolean;
  readonly all: boolean;
  readonly planHash?: string;
  readonly skipEmail: boolean;
  readonly wait: boolean;
  readonly yes: boolean;
}

export function addCommand(program: Command): void {
  const run = addYesOption(
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
      withApp((app, signal) => startRun(app, configurationId, options, signal), CONTINUATION),
    );

  run
    .command("watch")
    .description("show the progress of a run until it ends")
    .argument("<run-id>", "run ID, as shown by `run list`")
    .action((id: string) => withApp((app, signal) => follow(app, id, signal), CONTINUATION));

  run
    .command("retry")
    .description("retry the failed credentials of a run, and show its progress")
    .argument("<run-id>", "run ID, as shown by `run list`")
    .option("--no-wait", "exit when the retry has started")
    .action((id: string, options: Pick<StartOptions, "wait">) =>
      withApp(async (app, signal) => {
        await checkPlatformName(app);
        const { generatingCount } = await clientOf(app, signal, "run retry").retryIssuanceRun({ id });
        print(`${counted(generatingCount, "credential is", "credentials are")} being generated again.`);
        if (options.wait) await follow(app, id, signal);
      }, CONTINUATION),
    );

  run
    .command("cancel")
    .description("cancel a run: credentials that are not available yet fail")
    .argument("<run-id>", "run ID, as shown by `run list`")
    .action((id: string) =>
      withApp(async (app, signal) => {
        showReport(await clientOf(app, signal, "run cancel").cancelIssuanceRun({ id }));
      }),
    );

  run
    .command("list")
    .description(`list the newest ${MAX_SHOWN} runs`)
    .action(() =>
      withApp(async (app, signal) => {
        const { runs } = await clientOf(app, signal, "run list").listIssuanceRuns({ pageSize: MAX_SHOWN });
        for (const each of runs) {
          const startedAt = timestampDate(each.startTime as Timestamp).toISOString();
          print(`${startedAt}  configuration ${each.configurationId}  ${summary(each)}`);
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
  let learners: PlannedLearner[] = [];
  const start = async (dryRun: boolean, planHash = "") => {
    learners = [];
    const onLearner = options.all ? (each: PlannedLearner) => void learners.push(each) : undefined;
    const client = clientOf(app, signal, actOf("run", dryRun), onLearner);
    const { skipEmail } = options;
    const { plan, run } = await client.startIssuanceRun({ configurationId, dryRun, planHash, skipEmail });
    return { plan: plan as IssuancePlan, run };
  };
  let { planHash } = options;
  const needsConfirmation = !options.dryRun && planHash === undefined && shouldConfirm(options);
  if (needsConfirmation) {
    const { plan } = await start(true);
    showPlan(plan, learners);
    if (plan.issueCount > 0) await confirm(`Issue ${counted(plan.issueCount, "credential")}?`, signal);
    ({ planHash } = plan);
  }
  const { plan, run } = await start(options.dryRun, planHash);
  if (!needsConfirmation) showPlan(plan, learners);
  if (run) print(`Run ${run.id} has started.`);
  if (run && options.wait) await follow(app, run.id, signal);
}

function clientOf(app: App, signal: AbortSignal, act: Act, onLearner?: (learner: PlannedLearner) => void) {
  const handlers = issuingHandlers(issuingDepsOf(app), onLearner);
  return localClient(app, signal, act, CredentialService, handlers);
}

async function follow(app: App, id: string, signal: AbortSignal): Promise<void> {
  let last: IssuanceRun | undefined;
  let progress: ReturnType<typeof showProgress> | undefined;
  try {
    await clientOf(app, signal, "run watch").watchIssuanceRun({ id }, async (run) => {
      const { issuedCount, generatingCount, failedCount, state } = run;
      last = run;
      if (state === IssuanceRunState.RUNNING) progress ??= await beginProgress(app.database, issuedCount);
      const done = issuedCount - generatingCount;
      progress?.update(done, done, failedCount > 0 ? `${failedCount} failed` : "");
    });
  } finally {
    progress?.stop();
  }
  if (!last) return;
  showReport(last);
  if (last.failedCount > 0) process.exitCode = 1;
}

async function beginProgress(
  database: Database,
  issuedCount: number,
): Promise<ReturnType<typeof showProgress>> {
  const isTaken = await areJobsTaken(database);
  const progress = showProgress("generating documents", issuedCount, "credentials");
  if (!isTaken)
    progress.say("No worker is running: start `serve` or `worker`, which generate the documents.");
  return progress;
}

/**
 * Returns whether a worker takes the enqueued jobs. That usually happens immediately, and within two seconds if the
 * notification is lost.
 */
async function areJobsTaken({ knex }: Database): Promise<boolean> {
  for (let attempt = 0; attempt < 10; attempt++) {
    if (await hasWorker(knex)) return true;
    await sleep(300);
  }
  return false;
}

/** @param learners all learners of the plan if they are to be printed; otherwise empty */
function showPlan(plan: IssuancePlan, learners: readonly PlannedLearner[]): void {
  const { planHash, issueCount, usernames, retryCount, skipped, skippedLearners, warnings } = plan;
  const retried = retryCount === 0 ? "" : ` (${retryCount} of them have failed before)`;
  print(`${counted(issueCount, "credential")} to issue${retried}${issueCount === 0 ? "" : ", to:"}`);
  if (learners.length === 0) showSome(usernames, issueCount);
  for (const { username, userFullName, detail } of learners) {
    if (detail === undefined) print(`  ${printable(`${username}  ${userFullName}`, 400)}`);
  }
  for (const { reason, count } of skipped) print(`${count} skipped: ${reasons[reason]}`);
  const withNameProblems =
    learners.length === 0 ? skippedLearners : learners.filter(({ detail }) => detail !== undefined);
  const shown = learners.length === 0 ? MAX_SHOWN : Number.POSITIVE_INFINITY;
  showSome(
    withNameProblems.map(({ username, detail }) => `${username}: ${detail}`),
    skipped.reduce((total, { reason, count }) => total + (nameReasons.includes(reason) ? count : 0), 0),
    shown,
  );
  for (const warning of warnings) print(`Warning: ${printable(warning, 1000)}`);
  print(`Plan hash: ${planHash}`);
}

const skipReasons = numbersByName(SkipReason);
const nameReasons: readonly SkipReason[] = NAME_REASONS.map((reason) => skipReasons[reason]);

const reasons: Record<SkipReason, string> = {
  [SkipReason.UNSPECIFIED]: "the reason is unknown",
  [SkipReason.HAS_CREDENTIAL]: "they have a credential",
  [SkipReason.NOT_EARNED_ANEW]:
    "their credential can be renewed, but they have no new results since it was issued",
  [SkipReason.WITHDRAWN]: "their credential was invalidated: issue another one to each of them with `issue`",
  [SkipReason.NOT_CLAIMED]: "their configuration requires a claim, and they haven't claimed the credential",
  [SkipReason.NO_FULL_NAME]: "they have no full name",
  [SkipReason.UNPRINTABLE_NAME]: "no font can print their names",
  [SkipReason.UNKNOWN_LEARNER]: "there is no record of them",
  [SkipReason.NOT_ELIGIBLE]: "they are not eligible",
  [SkipReason.INVALID]: "their rows can't be read",
  [SkipReason.REPEATED]: "they are listed more than once",
};

function showSome(lines: readonly string[], count: number, shown = MAX_SHOWN): void {
  for (const line of lines.slice(0, shown)) print(`  ${printable(line, 400)}`);
  if (count > shown) print(`  and ${count - shown} more`);
}

function showReport(run: IssuanceRun): void {
  print(`Run ${summary(run)}`);
  showSome(
    run.failures.map(({ username, uuid, reason }) => `${username} (${uuid}): ${reason}`),
    run.failedCount,
  );
  if (run.failedCount > 0) print(`To retry failed credentials: \`run retry ${run.id}\``);
}

function summary({
  id,
  state,
  issuedCount,
  availableCount,
  failedCount,
  generatingCount,
}: IssuanceRun): string {
  const generating = generatingCount > 0 ? `, ${generatingCount} being generated` : "";
  const stateName = IssuanceRunState[state].toLowerCase();
  return `${id}: ${stateName}, ${availableCount} of ${issuedCount} available${generating}, ${failedCount} failed`;
}
