import type { Command } from "commander";
import { actOf } from "#api/pipeline/recorded-act.js";
import { checkConnector, WHILE_USER_WAITS } from "#domain/connectors/check-connector.js";
import type { Connector } from "#domain/connectors/connector.js";
import { findDrift } from "#domain/connectors/drift.js";
import type { Cost } from "#domain/connectors/driver/polite-client.js";
import { handOverLearners, takeOverLearners } from "#domain/connectors/ownership.js";
import { readStatus } from "#domain/connectors/status.js";
import { createInclusion } from "#domain/connectors/sweep/inclusion.js";
import type { Pause } from "#domain/connectors/sweep/pause-store.js";
import type { SweepReport } from "#domain/connectors/sweep/run-sweep.js";
import type { SweepProgress } from "#domain/connectors/sweep/sweep.js";
import { listConfigured, releaseContexts } from "#domain/connectors/sweep/sweep-store.js";
import { API_OWNER, ownerOf } from "#domain/learners/owners.js";
import { failedPrecondition, Problem } from "#foundation/errors.js";
import { counted } from "#foundation/text/counted.js";
import type { App } from "../app.js";
import { audited } from "./audited.js";
import { print } from "./print.js";
import { type ProgressDisplay, showProgress } from "./progress.js";
import { withApp } from "./with-app.js";

interface JsonOption {
  readonly json: boolean;
}

interface SyncOptions extends JsonOption {
  readonly dryRun: boolean;
  readonly acceptWithdrawals: boolean;
}

interface HandOverOptions {
  readonly course?: string;
  readonly dryRun: boolean;
}

interface TakeOverOptions extends Pick<HandOverOptions, "dryRun"> {
  readonly from?: string;
}

const CONTINUATION = "a worker, or the next `connector sync`, continues from the last page";

export function addCommand(program: Command): void {
  const connector = program
    .command("connector")
    .description("read learners, courses and grades from a platform (CONNECTORS_FILE)");
  onConnector(connector, "check", "call each endpoint of the platform once, and report what is missing")
    .option("--json", "print one JSON object per line", false)
    .action((id: string | undefined, options: JsonOption) =>
      withApp(async (app, signal) => {
        const opened = (await find(app, id)).open(signal, WHILE_USER_WAITS);
        for await (const result of checkConnector(opened)) {
          if (result.outcome === "failed") process.exitCode = 1;
          if (options.json) print(JSON.stringify(result));
          else print(`${result.outcome.padEnd(7)} ${result.what}: ${result.text}`);
        }
      }),
    );
  onConnector(connector, "sync", "read the whole platform, and write what has changed")
    .option("--dry-run", "report what would change, without writing anything", false)
    .option("--accept-withdrawals", "withdraw enrolments even if their number exceeds withdraw_limit", false)
    .option("--json", "print the result as JSON", false)
    .addHelpText(
      "after",
      `
If you interrupt the command and run it again, it continues from the last page. Only changed data is written. The exit
code is 1 if some data could not be read, or if withdrawals must be confirmed.`,
    )
    .action((id: string | undefined, options: SyncOptions) =>
      withApp(async (app, signal) => sync(app, await find(app, id), options, signal), CONTINUATION),
    );
  onConnector(connector, "status", "show the last sync, what could not be read, and what is overdue")
    .option("--json", "print the status as JSON", false)
    .action((id: string | undefined, options: JsonOption) =>
      withApp(async (app) => showStatus(app, await find(app, id), options)),
    );
  onConnector(
    connector,
    "take-over",
    "make a connector the owner of the records of all learners that it has reported",
  )
    .option("--from <owner>", "only records with this owner: `api`, or a connector ID")
    .option("--dry-run", "print the number of records, without changing anything", false)
    .action((id: string | undefined, options: TakeOverOptions) =>
      withApp(async (app, signal) => takeOver(app, (await find(app, id)).settings.id, options, signal)),
    );
  connector
    .command("hand-over")
    .description(
      "release the records of a connector, for example one that was removed: the next source to report these learners owns them",
    )
    .argument("<id>", "connector ID, which may have been removed from the settings")
    .option(
      "--course <key>",
      "only this course or path, which the connector no longer reads; credentials can then be issued from the data of other sources",
    )
    .option("--dry-run", "print the number of records, without changing anything", false)
    .action((id: string, options: HandOverOptions) =>
      withApp((app, signal) => handOver(app, id, options, signal)),
    );
  connector
    .command("follow")
    .description(
      "sync all platforms, LTI member lists and gradebooks when they are due, until stopped; workers start this automatically",
    )
    .action(async () => (await import("./connector-follow.js")).followPlatforms());
  onConnector(
    connector,
    "drift",
    "list available credentials that differ from the platform's current data; changes nothing",
  )
    .option("--json", "print one JSON object per line", false)
    .action((id: string | undefined, options: JsonOption) =>
      withApp(async (app, signal) => showDrift(app, await find(app, id), options, signal)),
    );
}

function onConnector(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .argument("[id]", "connector ID; required if there are several");
}

async function find({ connectors }: App, id: string | undefined): Promise<Connector> {
  const { usable, unusable } = await connectors.list();
  const ids = [...usable.map(({ settings }) => settings.id), ...unusable.map((each) => each.id)];
  if (ids.length === 0) {
    throw failedPrecondition(
      "There are no connectors. Add one in the console under Administration › Connections, or describe it in a file, and set CONNECTORS_FILE to the path of that file.",
    );
  }
  const [only] = usable;
  if (id === undefined && only && ids.length === 1) return only;
  const found = usable.find(({ settings }) => settings.id === id);
  if (found) return found;
  const problem = unusable.find((each) => each.id === id || ids.length === 1)?.problem;
  if (problem !== undefined) throw failedPrecondition(problem);
  throw new Problem("invalid", `Name one of these connectors: ${ids.join(", ")}.`);
}

/** Runs the sync in this process. StartOperation would leave it to a worker and show no progress. */
async function sync(
  app: App,
  connector: Connector,
  { dryRun, acceptWithdrawals, json }: SyncOptions,
  signal: AbortSignal,
): Promise<void> {
  const { id } = connector.settings;
  const shown = createStageBars();
  const act = actOf("connector sync", dryRun);
  const report = await audited(app, signal, act, { others: [`connector:${id}`] }, () =>
    connector.sweep(
      {
        dryRun,
        acceptsWithdrawals: acceptWithdrawals,
        cause: "command",
        isRequested: true,
        onPage: shown.update,
      },
      signal,
    ),
  ).finally(shown.stop);
  if (!report) {
    throw failedPrecondition(
      `Another process is already syncing ${id}: \`connector status\` shows its progress.`,
    );
  }
  if (json) print(JSON.stringify(report));
  else showReport(report, dryRun);
  if (report.state !== "complete") process.exitCode = 1;
}

async function takeOver(
  app: App,
  id: string,
  { from, dryRun }: TakeOverOptions,
  signal: AbortSignal,
): Promise<void> {
  const owner = from === undefined || from === API_OWNER ? from : ownerOf(from);
  const act = actOf("connector take-over", dryRun);
  const counts = await audited(app, signal, act, { others: [`connector:${id}`] }, () =>
    takeOverLearners(app.database, id, { from: owner, dryRun }, signal),
  );
  for (const { owner: before, count } of counts)
    print(
      `${counted(count, "record")} of ${before || "nobody"} ${dryRun ? "would be" : count === 1 ? "was" : "were"} transferred`,
    );
  if (counts.length === 0) print("There are no records to transfer: see `connector status`.");
}

async function handOver(
  app: App,
  id: string,
  { course, dryRun }: HandOverOptions,
  signal: AbortSignal,
): Promise<void> {
  if (course !== undefined) {
    await handOverCourse(app, id, course, dryRun, signal);
    return;
  }
  const { usable, unusable } = await app.connectors.list();
  const isGone =
    usable.every(({ settings }) => settings.id !== id) && unusable.every((each) => each.id !== id);
  const act = actOf("connector hand-over", dryRun);
  const counts = await audited(app, signal, act, { others: [`connector:${id}`] }, () =>
    handOverLearners(app.database, id, { dryRun, withContexts: isGone }, signal),
  );
  const [{ count } = { count: 0 }] = counts;
  print(
    `${counted(count, "record")} ${dryRun ? "would have" : count === 1 ? "has" : "have"} no owner: the next source to report these learners owns them`,
  );
}

async function handOverCourse(
  app: App,
  id: string,
  key: string,
  dryRun: boolean,
  signal: AbortSignal,
): Promise<void> {
  const connector = (await app.connectors.list()).usable.find(({ settings }) => settings.id === id);
  const { knex } = app.database;
  if (connector && createInclusion(connector.settings, await listConfigured(knex)).holds(key)) {
    throw failedPrecondition(
      `The connector ${id} reads ${key}: first exclude this course or path with \`courses\` in its settings. Otherwise, the connector and the other source overwrite each other's data.`,
    );
  }
  const what = { others: [`connector:${id}`, `learning_context:${key}`] };
  const count = await audited(app, signal, actOf("connector hand-over", dryRun), what, () =>
    releaseContexts(knex, id, key, { dryRun }),
  );
  if (count === 0) throw new Problem("not-found", `The connector ${id} has never read ${key}.`);
  print(
    `${key} ${dryRun ? "would be" : "is"} released: credentials can be issued from what other sources report`,
  );
}

function showUnread(failures: SweepReport["failures"]): void {
  for (const { stage, scope, error } of failures)
    print(`not read: ${[stage, scope].filter(Boolean).join(" of ")}: ${error}`);
}

/** Shows one progress bar for each stage, with the number of pages and requests. */
function createStageBars() {
  let bar: ProgressDisplay | undefined;
  let stage = "";
  return {
    update(progress: SweepProgress) {
      if (progress.stage !== stage) {
        bar?.stop();
        stage = progress.stage;
        bar = showProgress(progress.stage, progress.of, "pages");
      }
      bar?.update(progress.done, progress.pages, costOf(progress.cost));
    },
    stop() {
      bar?.stop();
    },
  };
}

function costOf({ requests, refusals, waitSeconds }: Cost): string {
  const refused =
    refusals > 0 ? `, ${refusals} rejected by the rate limit, ${Math.round(waitSeconds)} s waiting` : "";
  return `${requests} requests${refused}`;
}

function showReport({ state, reason, tally, failures, withheld, cost }: SweepReport, dryRun: boolean): void {
  const sums = new Map<string, Map<string, number>>();
  for (const [what, count] of Object.entries(tally)) {
    const [kind = "", outcome] = what.split(".");
    if (outcome === undefined) print(`${what}: ${count}`);
    else sums.set(kind, (sums.get(kind) ?? new Map()).set(outcome, count));
  }
  for (const [kind, outcomes] of sums) {
    const { read = 0, written = 0, ...others } = Object.fromEntries(outcomes);
    const more = Object.entries(others).map(([outcome, count]) => `, ${count} ${outcome}`);
    print(
      `${kind}: ${written} ${dryRun ? "would change" : "written"}, ${read - written} unchanged${more.join("")}`,
    );
  }
  showUnread(failures);
  for (const { scope, reason: why } of withheld) print(`not known yet: ${scope}: ${why}`);
  print(`requests to the platform: ${costOf(cost)}`);
  print(`${dryRun ? "dry run: " : ""}${state}${reason && `: ${reason}`}`);
  if (state === "held")
    print("Check it with `connector sync --dry-run`, then run `connector sync --accept-withdrawals`.");
}

async function showStatus({ database }: App, { settings }: Connector, { json }: JsonOption): Promise<void> {
  const status = await readStatus(database.knex, settings.id);
  if (json) {
    print(JSON.stringify({ connector: settings.id, ...status }));
    return;
  }
  const { last, complete, pause, clashes, failures, withheld, contexts, incomplete, unlisted, excluded } =
    status;
  const { hints, overdue, hintFailures, renamed, taken } = status;
  print(`${settings.id}: ${settings.driver.name} at ${settings.base_url}`);
  print(
    last
      ? `last sync: ${last.state}, began ${last.startedAt.toISOString()} (${last.cause})${last.reason && `: ${last.reason}`}`
      : "no sync yet",
  );
  if (pause) print(pausedUntil(pause, settings.id));
  print(`last complete sync: ${complete ? complete.startedAt.toISOString() : "none"}`);
  for (const one of status.stages)
    print(`  ${one.stage}: ${one.complete} complete, ${one.open} open, ${one.failed} failed`);
  showUnread(failures);
  for (const { scope, error } of withheld) print(`not known yet: ${scope}: ${error}`);
  const never = incomplete - unlisted.length;
  print(`courses and paths: ${contexts}${never > 0 ? `, of which ${never} were never read completely` : ""}`);
  for (const key of unlisted) print(`no longer listed by the platform, so nothing is issued there: ${key}`);
  for (const key of excluded) {
    print(
      `no longer read, because \`courses\` in the settings excludes it, so nothing is issued there: ${key}. ` +
        `If another source reports it now: \`connector hand-over ${settings.id} --course ${key}\``,
    );
  }
  print(
    `pending reads of single learners (hints): ${hints}${overdue > 0 ? `, the oldest overdue for ${overdue} s` : ""}`,
  );
  for (const { reason, failed, givenUp, lastAt } of hintFailures) {
    print(
      `rereading learners failed ${counted(failed, "time")} (${givenUp} left to the next sync), last at ` +
        `${lastAt.toISOString()}: ${reason}`,
    );
  }
  if (clashes.count > 0) {
    print(
      `reported differently than by the owner of the record, and ignored: ${counted(clashes.count, "learner")}. ` +
        `\`connector take-over ${settings.id} --dry-run\` shows the owners.`,
    );
  }
  for (const { username, owner, differs } of clashes.first)
    print(`conflict: ${JSON.stringify(username)} of ${owner || "nobody"}: ${differs.join(", ")}`);
  for (const { externalId, from, to } of renamed)
    print(`renamed: account ${externalId}, from ${JSON.stringify(from)} to ${JSON.stringify(to)}`);
  for (const { username, externalId, takenBy } of taken) {
    print(
      `refused: ${JSON.stringify(username)} was account ${externalId} and is claimed by account ${takenBy}`,
    );
  }
}

function pausedUntil({ failures, until, reason }: Pause, id: string): string {
  const often = failures === 1 ? "once" : `${failures} times in a row`;
  if (until === null) return `being read now${failures > 1 ? `; before that it failed: ${reason}` : ""}`;
  return `paused until ${until.toISOString()}: reading it has failed ${often} (${reason}). Check the platform's responses with \`connector check ${id}\`; \`connector sync ${id}\` reads it immediately.`;
}

async function showDrift(
  { database, functions }: App,
  { settings }: Connector,
  { json }: JsonOption,
  signal: AbortSignal,
): Promise<void> {
  let count = 0;
  for await (const drifted of findDrift(database, functions, settings.id, signal)) {
    count++;
    if (json) print(JSON.stringify(drifted));
    else print(`${drifted.uuid} (configuration ${drifted.configurationId}): ${drifted.reasons.join(", ")}`);
  }
  if (!json) print(`${counted(count, "credential differs", "credentials differ")}. Nothing was changed.`);
}
