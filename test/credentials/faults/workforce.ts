import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Client, createClient, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import PostalMime from "postal-mime";
import { expect, vi } from "vitest";
import type { Credential } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { type IssuanceRun, IssuanceRunState } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import type { Finding } from "#runtime/doctor/finding.js";
import type { Received } from "../../email/smtp-sink.js";
import { buildProgram, type Outcome, type Running } from "../../main/program.js";
import { type Academy, openAcademy } from "../../support/academy.js";
import { findingsOn, repairOf } from "../../support/health.js";
import { SETTINGS, tokenOf } from "../../support/service.js";

/** A `worker` process of the built program. */
export interface Worker {
  readonly running: Running;
  /** Kills the process with SIGKILL, unless it has ended. */
  kill(): Promise<void>;
}

/** A `serve --no-worker` process of the built program. */
export interface Server {
  readonly running: Running;
  readonly httpUrl: string;
  /** Calls as staff. */
  readonly credentials: Client<typeof CredentialService>;
  kill(): Promise<void>;
}

/** An academy without its own worker, and processes of the built program that work for it. */
export interface Workforce {
  readonly academy: Academy;
  /** @param settings override those of the academy, for example the URL of its database */
  startWorker(settings?: Record<string, string>): Promise<Worker>;
  serve(settings?: Record<string, string>): Promise<Server>;
  /** Ends the leases of all running jobs, as if their workers had been killed long ago. */
  endLeases(): Promise<void>;
  /** Imports records of learners who are eligible and have addresses. */
  enrol(...usernames: string[]): Promise<void>;
  issue(username: string): Promise<Credential>;
  /**
   * Starts a run for this number of new learners.
   * @returns the run's id
   */
  startRun(size: number): Promise<string>;
  /** Returns the report of a run once it has ended. Jobs that wait for a retry become due immediately. */
  ended(runId: string): Promise<IssuanceRun>;
  /** Waits until no job is left. Jobs that wait for a retry become due immediately. */
  settled(): Promise<void>;
  /** Returns the events of a credential, in order. */
  events(uuid: string): Promise<string[]>;
  rows<Row>(sql: string, bindings?: readonly string[]): Promise<Row[]>;
  run(...args: string[]): Promise<Outcome>;
  dismiss(): Promise<void>;
}

/** Builds the program and opens the academy. */
export async function openWorkforce(settings: Record<string, string> = {}): Promise<Workforce> {
  const program = await buildProgram();
  const academy = await openAcademy({ settings });
  const { app } = academy.service;
  const { knex } = app.database;
  const environment: Record<string, string> = {
    ...SETTINGS,
    DATABASE_URL: app.database.url,
    DATA_DIR: app.config.dataDir,
    ...settings,
  };

  async function rows<Row>(sql: string, bindings: readonly string[] = []): Promise<Row[]> {
    return (await knex.raw(sql, bindings as string[])).rows;
  }
  async function enrol(...usernames: string[]): Promise<void> {
    await academy.enrol(...usernames);
    await academy.report(
      ...usernames.map((username) => ({
        case: "learner" as const,
        value: { username, fullName: `Learner ${username}`, email: `${username}@uni.test` },
      })),
    );
  }

  /** Makes jobs that wait for a retry due immediately. */
  async function hurry(): Promise<void> {
    await rows("update jobs set run_at = now() where run_at > now()");
    await rows("select pg_notify('jobs', '')");
  }

  const settled = () =>
    until(async () => {
      await hurry();
      expect(await rows("select attempts, last_error from jobs")).toEqual([]);
    });

  return {
    academy,
    rows,
    enrol,
    settled,

    async startWorker(others = {}) {
      const running = program.start(["worker"], { ...environment, ...others });
      await running.says(/The worker is running jobs/);
      return { running, kill: () => kill(running) };
    },

    async serve(others = {}) {
      const running = program.start(["serve", "--no-worker"], { ...environment, ...others });
      await running.says(/Press Ctrl-C to stop\.\n/);
      let httpUrl = "";
      await until(() => {
        // stderr and stdout are separate pipes, so this line may come later
        const [, line = ""] = /^(.*"msg":"serving".*)\n/m.exec(running.stderr()) ?? [];
        httpUrl = `http://127.0.0.1:${JSON.parse(line).httpPort}`;
      });
      const token = await tokenOf({ username: "registrar", isStaff: true });
      return {
        running,
        httpUrl,
        credentials: createClient(
          CredentialService,
          createConnectTransport({ baseUrl: httpUrl, httpVersion: "1.1", interceptors: [authorized(token)] }),
        ),
        kill: () => kill(running),
      };
    },

    async endLeases() {
      await rows("update jobs set leased_until = now() where leased_until is not null");
    },

    async startRun(size) {
      await enrol(...Array.from({ length: size }, newcomer));
      const { run } = await academy.credentials.startIssuanceRun({
        configurationId: academy.configurationId,
      });
      expect(run?.issuedCount).toBe(size);
      return run?.id ?? "";
    },

    async ended(runId) {
      await settled();
      let run: IssuanceRun | undefined;
      await until(async () => {
        run = await academy.credentials.getIssuanceRun({ id: runId });
        expect(run.state).toBe(IssuanceRunState.COMPLETE);
      });
      return run as IssuanceRun;
    },

    issue: (username) => academy.issue(username),

    events: async (uuid) => {
      const happened = await rows<{ type: string }>(
        `select type from (
           select position, 0 as id, type, credential_uuid from credential_events
           union all select null, id, type, credential_uuid from unsealed_credential_events
         ) event where credential_uuid = ?::uuid order by position nulls last, id`,
        [uuid],
      );
      return happened.map(({ type }) => type);
    },

    run: (...args) => program.run(args, environment),

    async dismiss() {
      await program.remove();
      await academy.service.stop();
    },
  };
}

async function kill({ process, end }: Running): Promise<void> {
  if (process.exitCode === null && process.signalCode === null) await end("SIGKILL");
}

function authorized(token: string): Interceptor {
  return (next) => (request) => {
    request.header.set("authorization", `Bearer ${token}`);
    return next(request);
  };
}

/** Waits until the expectation is met. On a busy machine, documents take a while. */
export const until = (check: () => void | Promise<void>, timeout = 60_000): Promise<void> =>
  vi.waitFor(check, { timeout, interval: 50 });

/** Returns what `doctor` finds when all files are so old that no work in progress can be the reason for them. */
function findingsLater({ academy }: Workforce): Promise<Finding[]> {
  return findingsOn(academy.service.app, { now: new Date(Date.now() + 2 * 3_600_000) });
}

export async function expectNothingAmiss(workforce: Workforce): Promise<void> {
  expect(await findingsLater(workforce)).toEqual([]);
}

/** Deletes the incomplete files of killed processes, as `doctor --repair` does. */
export async function repairDrafts(workforce: Workforce): Promise<void> {
  const repair = repairOf(workforce.academy.service.app);
  for (const finding of await findingsLater(workforce)) {
    if (finding.kind === "abandoned-draft") expect(await repair(finding)).toBe("repaired");
  }
}

/** Returns the Message-IDs of the emails about a credential. */
export async function emailsAbout(uuid: string, received: readonly Received[]): Promise<string[]> {
  const parsed = await Promise.all(received.map(({ raw }) => PostalMime.parse(raw)));
  return parsed.flatMap(({ messageId = "" }) => (messageId.startsWith(`<${uuid}@`) ? [messageId] : []));
}

export const newcomer = (): string => `l${randomBytes(4).toString("hex")}`;

/** Returns the credentials about which there are emails in the data directory. */
export async function emailsInFiles({ academy }: Workforce): Promise<string[]> {
  const names = await readdir(join(academy.service.app.config.dataDir, "mails")).catch(() => []);
  return names.map((name) => name.replace(/@.*/, ""));
}

/** Returns the credentials with downloadable files: one UUID per file, in order. */
export async function ownersOfFiles({ academy }: Workforce): Promise<string[]> {
  const { files, config } = academy.service.app;
  const owners: string[] = [];
  for await (const { key } of files.list(`${config.outputDir}/`)) owners.push(key.split("/").at(-2) ?? "");
  return owners.sort();
}

export async function countEvents({ rows }: Workforce): Promise<Record<string, number>> {
  const counts = await rows<{ type: string; count: number }>(
    `select type, count(*) from (
       select type from credential_events union all select type from unsealed_credential_events
     ) event group by type`,
  );
  return Object.fromEntries(counts.map(({ type, count }) => [type, count]));
}
