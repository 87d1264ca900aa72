import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { openS3FileStore } from "#infrastructure/files/s3/file-store.js";
import type { Scene } from "./actor.js";
import { OUTPUT_DIR } from "./deployment.js";
import type { EventBook, Step } from "./event-book.js";
import type { Reported, Status } from "./knowledge.js";
import { hasAddress } from "./registrar.js";
import type { Weather } from "./weather.js";
import { WrongAnswer } from "./wrong-answer.js";

/**
 * The time limit for the remaining work. The leases of a killed worker expire after ten seconds, and a failed job waits
 * up to a minute.
 */
const SETTLE_MS = 240_000;

/**
 * Emails that are being sent when a worker is killed or the database fails may be sent twice, with the same Message-ID.
 */
const DOUBLE_MAILS_PER_FAULT = 20;

/** An error may be logged up to this long after its cause. */
const LOGGED_AFTER_MS = 5_000;

interface Row {
  readonly uuid: string;
  readonly verifyUuid: string;
  readonly username: string;
  readonly configurationId: number;
  readonly status: Status;
  readonly userFullName: string;
  readonly invalidationReason: string;
  readonly created: number;
  readonly fileKey: string;
  readonly fileSha256: string;
  readonly fileSize: number;
  readonly isEmailed: boolean;
  readonly replaces: string;
}

const rowsStatement = `
  select uuid, verify_uuid as "verifyUuid", username, configuration_id as "configurationId", status,
    user_full_name as "userFullName", invalidation_reason as "invalidationReason",
    extract(epoch from created_at)::float8 as created, file_key as "fileKey",
    encode(file_sha256, 'hex') as "fileSha256", file_size as "fileSize", exists (
      select from credential_mails where credential_uuid = uuid and kind = 'available' and sent_at is not null
    ) as "isEmailed",
    coalesce(replaces::text, '') as replaces
  from credentials`;

/** Counts the remaining work. */
const leftStatement = `
  select (select count(*) from jobs)::int as jobs,
    (select count(*) from credentials where status = 'generating')::int as generating,
    (select count(*) from issuance_runs where state = 'running')::int as runs,
    (select count(*) from unsealed_credential_events)::int as unsealed`;

/** The results of the soak in figures. */
export type Figures = Record<string, number | string>;

/**
 * Waits until no work remains, and checks that all accepted data exists exactly once. Reports deviations to the
 * journal.
 */
export async function judge(
  scene: Scene,
  { events, weather }: { events: EventBook; weather: Weather },
): Promise<Figures> {
  const client = new pg.Client(scene.deployment.postgres.url);
  await client.connect();
  try {
    const settledAfter = await settle(scene, client);
    const { rows } = await client.query<Row>(rowsStatement);
    await reachHead(scene, client, events);
    checkCredentials(scene, rows);
    checkLives(scene, rows, events);
    await checkRecords(scene, client);
    await checkRuns(scene, client);
    checkLogs(scene, weather);
    return {
      "seconds to settle": settledAfter,
      credentials: rows.length,
      ...countBy(rows.map(({ status }) => status)),
      reissued: rows.filter(({ replaces }) => replaces !== "").length,
      events: events.last(),
      ...checkEmails(scene, rows, weather),
      ...(await checkFiles(scene, rows)),
      doctor: await consultDoctor(scene),
    };
  } finally {
    await client.end();
  }
}

async function settle({ journal }: Scene, client: pg.Client): Promise<number> {
  const begun = performance.now();
  const elapsed = () => performance.now() - begun;
  for (;;) {
    const { rows } = await client.query<Record<string, number>>(leftStatement);
    const left = Object.entries(rows[0] ?? {}).filter(([, count]) => count > 0);
    if (left.length === 0) return Math.round(elapsed() / 1000);
    if (elapsed() > SETTLE_MS) {
      const jobs = await client.query("select * from jobs limit 5");
      journal.complain(`left undone: ${JSON.stringify(left)}; ${JSON.stringify(jobs.rows)}`);
      return Math.round(elapsed() / 1000);
    }
    await sleep(500);
  }
}

/** Waits until all watchers have received the last event. */
async function reachHead({ journal }: Scene, client: pg.Client, events: EventBook): Promise<void> {
  const { rows } = await client.query("select position::int as head from credential_event_head");
  const head = rows[0]?.head ?? 0;
  for (const deadline = Date.now() + 20_000; events.slowest() < head; await sleep(100)) {
    if (Date.now() < deadline) continue;
    journal.complain(`a watcher was told of ${events.slowest()} events, and there are ${head}`);
    return;
  }
}

/**
 * Checks each credential, all credentials of each learner, and the credentials that should exist, against the model.
 */
function checkCredentials({ model, journal }: Scene, rows: readonly Row[]): void {
  const from = performance.now();
  const span = { from, to: from };
  const allOf = new Map<string, Reported[]>(model.usernames().map((username) => [username, []]));
  for (const row of rows) {
    const reported: Reported = {
      uuid: row.uuid,
      username: row.username,
      configurationId: row.configurationId,
      status: row.status,
      userFullName: row.userFullName,
      ...(row.status === "invalidated" && { invalidationReason: row.invalidationReason }),
      facts: {
        verifyUuid: row.verifyUuid,
        created: row.created,
        replacesUuid: row.replaces,
        fileSha256: row.fileSha256,
        fileSize: row.fileSize,
      },
    };
    const own = allOf.get(row.username);
    if (own) own.push(reported);
    else journal.complain(`nobody has told of ${row.username}, who has ${row.uuid}`);
  }
  for (const [username, own] of allOf) {
    guarded(journal, `the credentials of ${username} in the database`, () =>
      model.seeAllOf(username, undefined, own, span),
    );
  }
  const stored = new Set(rows.map(({ uuid }) => uuid));
  for (const { uuid } of model.credentials()) if (!stored.has(uuid)) journal.complain(`${uuid} is lost`);
}

/** Checks that the events of each credential lead to its row, and that each step occurred once. */
function checkLives({ journal }: Scene, rows: readonly Row[], { lives }: EventBook): void {
  const replaced = new Set(rows.map(({ replaces }) => replaces));
  for (const row of rows) {
    const life = lives.get(row.uuid) ?? [];
    const isImported = life[0] === "imported";
    const isInvalidated = row.status === "invalidated";
    const mustBeEmailed = !isImported && !isInvalidated && hasAddress(row.username);
    if (mustBeEmailed && !row.isEmailed) journal.complain(`nobody was mailed about ${row.uuid}`);
    const right: Step[] = [
      ...(isImported ? (["imported"] as const) : (["issued", "available"] as const)),
      ...(row.isEmailed ? (["emailed"] as const) : []),
      ...(isInvalidated ? (["invalidated"] as const) : []),
      ...(replaced.has(row.uuid) ? (["reissued"] as const) : []),
    ];
    if ([...life].sort().join() !== right.sort().join())
      journal.complain(`${row.uuid} is ${row.status}, and its events are ${life.join(", ")}`);
  }
}

async function checkRecords({ model, journal, deployment }: Scene, client: pg.Client): Promise<void> {
  const from = performance.now();
  const { rows } = await client.query<{ username: string; fullName: string }>(
    `select username, full_name as "fullName" from learners where not is_deleted`,
  );
  const to = performance.now();
  for (const { username, fullName } of rows) {
    guarded(journal, `the record of ${username}`, () =>
      model.seeProgress(username, { from, to }, (progress) => progress.fullName === fullName),
    );
  }
  const { eligibility } = (deployment.addresses[0] as (typeof deployment.addresses)[number]).client;
  for (const { configurationId } of deployment.offers) {
    const span = { from: performance.now(), to: Number.POSITIVE_INFINITY };
    const usernames: string[] = [];
    for await (const { learners } of eligibility.listEligibleLearners({ configurationId }))
      usernames.push(...learners.map(({ username }) => username));
    guarded(journal, `who is eligible under ${configurationId}`, () =>
      model.seeEligible(configurationId, usernames, span),
    );
  }
}

async function checkRuns({ journal, runBook }: Scene, client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select id, state, issued_count as issued, available_count as available, failed_count as failed,
       (select count(*) from credentials where run_id = issuance_runs.id)::int as rows
     from issuance_runs`,
  );
  for (const run of rows) {
    const isRight =
      run.state === "complete" && run.available === run.issued && run.failed === 0 && run.rows === run.issued;
    if (!isRight) journal.complain(`a run has come to ${JSON.stringify(run)}`);
  }
  const ids = new Set(rows.map(({ id }) => id));
  for (const id of runBook.ids) if (!ids.has(id)) journal.complain(`run ${id} is lost`);
}

/** Checks that the log contains only errors that an outage of the database or the store explains. */
function checkLogs({ journal, deployment }: Scene, weather: Weather): void {
  const lines = deployment.started.flatMap(({ stderr }) => stderr().split("\n"));
  for (const line of lines) {
    if (!line.startsWith("{")) {
      if (line !== "") journal.complain(`a process said: ${line}`);
      continue;
    }
    const { level, time, msg } = JSON.parse(line);
    const at = time - performance.timeOrigin;
    const faults = weather.during({ from: at - LOGGED_AFTER_MS, to: at });
    // On a busy machine, a service may start before the store has answered.
    const isLate = /it did not respond within \d+ ms/.test(line);
    const isExcused =
      isLate ||
      faults.includes("database away") ||
      (faults.includes("store away") && /S3_ENDPOINT/.test(line));
    if (level >= 50 && !isExcused) journal.complain(`an error was logged: ${msg}: ${line.slice(0, 1000)}`);
  }
}

function checkEmails({ journal, deployment }: Scene, rows: readonly Row[], weather: Weather): Figures {
  const counts = new Map<string, number>();
  for (const { raw } of deployment.sink.received) {
    const [, uuid = ""] = /^Message-ID:\s*<([^@]+)@/im.exec(raw.toString()) ?? [];
    counts.set(uuid, (counts.get(uuid) ?? 0) + 1);
  }
  const known = new Set(
    rows.flatMap(({ uuid, status }) => (status === "invalidated" ? [uuid, `${uuid}-withdrawn`] : [uuid])),
  );
  for (const uuid of counts.keys())
    if (!known.has(uuid)) journal.complain(`a mail is about ${uuid}, which is not there`);
  for (const { uuid, isEmailed } of rows)
    if (isEmailed && !counts.has(uuid)) journal.complain(`no mail about ${uuid} has come`);
  const doubles = deployment.sink.received.length - counts.size;
  const faults = weather.faults.filter(({ fault }) => fault !== "store away").length;
  if (doubles > faults * DOUBLE_MAILS_PER_FAULT) journal.complain(`${doubles} emails came twice`);
  return { emails: deployment.sink.received.length, "emails sent twice": doubles };
}

/** Checks that each credential has exactly one file, in the right place and with the recorded bytes. */
async function checkFiles({ journal, deployment }: Scene, rows: readonly Row[]): Promise<Figures> {
  const files = await openS3FileStore(deployment.s3);
  const owners = new Map(rows.map((row) => [row.fileKey, row]));
  const strays: string[] = [];
  let count = 0;
  for (const [directory, status] of [
    [`${OUTPUT_DIR}/`, "available"],
    [`${OUTPUT_DIR}_invalidated/`, "invalidated"],
  ] as const) {
    for await (const { key } of files.list(directory)) {
      count++;
      const owner = owners.get(key);
      if (!owner) {
        strays.push(key);
        continue;
      }
      owners.delete(key);
      if (owner.status !== status)
        journal.complain(`${owner.uuid} is ${owner.status}, and its file is ${key}`);
      const digest = await files.digest(key);
      if (digest?.sha256 !== owner.fileSha256) journal.complain(`${key} has other bytes`);
    }
  }
  for (const [key, { uuid }] of owners) journal.complain(`${uuid} has lost its file ${key}`);
  const known = new Set(rows.map(({ uuid }) => uuid));
  const second = strays.filter((key) => known.has(key.split("/").at(-2) ?? ""));
  if (second.length > 0) journal.complain(`files that nobody needs any more: ${second.join(", ")}`);
  // A file may remain only from an imported credential whose commit was not acknowledged.
  const uncertain = [...journal.errors].filter(([name]) => name.includes("ImportCredentials"));
  const mayBeLeft = uncertain.reduce((sum, [, times]) => sum + times, 0);
  if (strays.length > mayBeLeft) journal.complain(`files that belong to nothing: ${strays.join(", ")}`);
  return { files: count, "files left behind": strays.length };
}

async function consultDoctor({ journal, deployment }: Scene): Promise<string> {
  const { exitCode, stdout, stderr } = await deployment.run("doctor");
  if (exitCode !== 0) journal.complain(`doctor ended with ${exitCode}:\n${stdout}${stderr}`);
  return stdout.trim().replaceAll("\n", "; ");
}

function guarded(journal: Scene["journal"], what: string, check: () => unknown): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof WrongAnswer)) throw error;
    journal.complain(`${what}: ${error.message}`);
  }
}

function countBy(names: readonly string[]): Figures {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
