import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { expect, vi } from "vitest";
import { type Credential, CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { createMailer, type Mailer } from "#infrastructure/email/transport.js";
import { type Academy, COURSE, exam } from "../../support/academy.js";
import { completed, enrolled } from "../../support/records.js";

export const LMS = { kind: "service", name: "lms" } as const;

export const { AVAILABLE, ERROR, INVALIDATED } = CredentialStatus;
export const NAME = "Zdenka Qvortrup-Ødegård";
export const NOTHING = { records: 0, credentials: 0, files: 0, actorEntries: 0 };
export const PSEUDONYM = /^erased-[0-9a-f]{32}$/;

/** Returns records of every kind about a learner. */
export function factsOf(username: string, fullName = NAME) {
  return [
    {
      case: "learner",
      value: { username, fullName, email: `${username.replaceAll(/[ :]+/g, "-")}@uni.test` },
    },
    enrolled(username, COURSE),
    exam(username, 9),
    completed(username, COURSE, 1),
    { case: "courseGrade", value: { username, courseKey: COURSE, percent: 1, passed: true } },
  ] as Parameters<Academy["report"]>;
}

export async function metadata({ service }: Academy, { verifyUuid }: Credential): Promise<[number, unknown]> {
  const response = await fetch(`${service.httpUrl}/api/learning_credentials/v1/metadata/${verifyUuid}/`);
  return [response.status, await response.json()];
}

/** Returns every row of every table, as text. */
async function dump({ service }: Academy): Promise<string> {
  const { knex } = service.app.database;
  const { rows: tables } = await knex.raw(
    `select oid::regclass::text as name from pg_class
     where relkind in ('r', 'm') and relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace,
       'pg_toast'::regnamespace)`,
  );
  const dumped: string[] = [];
  for (const { name } of tables) {
    const { rows } = await knex.raw(`select to_jsonb(t)::text as row from ${name} t`);
    dumped.push(...rows.map(({ row }: { row: string }) => `${name} ${row}`));
  }
  return dumped.join("\n");
}

/** Returns the columns, as `table.column`, that contain one of the words. */
export async function columnsWith({ service }: Academy, ...words: string[]): Promise<string[]> {
  const { knex } = service.app.database;
  const { rows: tables } = await knex.raw(
    `select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace not in (
       'pg_catalog'::regnamespace, 'information_schema'::regnamespace, 'pg_toast'::regnamespace)`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await knex.raw(
      `select distinct field.key from ${name} t, jsonb_each_text(to_jsonb(t)) field
       where field.value ilike any (?::text[])`,
      [words.map((word) => `%${word}%`)],
    );
    found.push(...rows.map(({ key }: { key: string }) => `${name}.${key}`));
  }
  return found;
}

/** Returns every file of the data directory, with its name. */
async function files({ service }: Academy): Promise<string> {
  const directory = service.app.config.dataDir;
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const texts = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    return `${path} ${entry.isFile() ? await readFile(path, "latin1") : ""}`;
  });
  return (await Promise.all(texts)).join("\n");
}

/** Returns those of the words that are still in the database or in a file. */
export async function traces(academy: Academy, ...words: string[]): Promise<string[]> {
  const everything = `${await dump(academy)}\n${await files(academy)}`;
  const forms = (word: string) => [
    word,
    Buffer.from(word).toString("hex"),
    Buffer.from(word).toString("latin1"),
  ];
  return words.flatMap(forms).filter((word) => everything.includes(word));
}

/** Creates a mailer that writes emails to files, as workers do without an email server. */
export function mailerOf({ service }: Academy, log: Logger): Mailer {
  const { dataDir, mailFrom } = service.app.config;
  const setting = { server: undefined, from: mailFrom };
  return createMailer({
    setting: async () => setting,
    directory: join(dataDir, "mails"),
    log,
  });
}

export const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 20 });

export async function allDone({ service }: Academy): Promise<void> {
  const { knex } = service.app.database;
  await until(async () => expect(await knex("jobs").count()).toEqual([{ count: 0 }]));
}

export async function* each<T>(...values: T[]): AsyncGenerator<T> {
  yield* values;
}
