import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { Writable } from "node:stream";
import { type Logger, pino } from "pino";
import { expect, test } from "vitest";
import { logOptions } from "#foundation/log/log.js";
import { BUILT } from "../support/built-main.js";
import { givenDatabase } from "../support/database.js";
import { processorMs } from "../support/processor-time.js";

const db = givenDatabase();

/** Returns the log output of the work as one text. */
async function logged(work: (log: Logger) => unknown): Promise<string> {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk));
      done();
    },
  });
  await work(pino(logOptions, stream));
  return lines.join("");
}

test("an error of Postgres is logged with its code, and without the row in its message", async () => {
  const insert = `insert into learners (username, email, full_name, is_active, locale, observed_at, is_deleted)
    values (?, ?, ?, true, null, now(), false)`;
  const row = await db.database.knex
    .raw(insert, ["grace", "grace@navy.example", "Grace Hopper"])
    .catch((caught: unknown) => caught);
  const json = await db.database.knex
    .raw("select ?::json", ['{"full_name": "Grace Hopper", "bad": "\\u00'])
    .catch((caught: unknown) => caught);
  const text = await logged((log) => {
    log.error({ err: row }, "failed");
    log.error({ err: new Error("outer", { cause: row }) }, "failed");
    log.error({ err: json }, "failed");
  });

  for (const reported of ["23502", "insert into learners", "22P02"]) expect(text).toContain(reported);
  for (const personal of ["grace", "Hopper", "navy.example"]) expect(text).not.toContain(personal);
});

test.each([
  ["no such file: learning_credentials/f58a4a10-67c4-42c7-9081-22078fceac85/0a1b.pdf", "f58a4a10…/0a1b.pdf"],
  ["550 5.1.1 <Grace.Hopper@navy.example>: unknown", "550 5.1.1 <…@…>: unknown"],
  ["postgres://service:hunter2@db:5432/credentials", "postgres://service:…@…:5432/credentials"],
  ["token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJncmFjZSJ9.c2lnbmF0dXJl expired", "token eyJ… expired"],
  [`GET /download/${"Ab-_".repeat(20)}/ failed`, "GET /download/…/ failed"],
  [`GET /wallet/${"Ab-_".repeat(20)}/offer failed`, "GET /wallet/…/offer failed"],
  [
    "node_modules/@grpc/grpc-js/build/src/server.js:12:3",
    "node_modules/@grpc/grpc-js/build/src/server.js:12:3",
  ],
])("of %s the log contains %s", async (message, reported) => {
  const text = await logged((log) => {
    log.error({ err: new Error(message) }, "failed");
    log.warn({ reason: message }, "failed");
  });
  for (const line of text.trim().split("\n")) {
    expect(line).toContain(reported);
    if (reported !== message) expect(line).not.toContain(message);
  }
});

test("a request id stays complete, even if it looks like the UUID of a credential", async () => {
  const requestId = "f58a4a10-67c4-42c7-9081-22078fceac85";
  const text = await logged((log) => {
    log.info({ requestId, ms: 1 }, "call");
    log.error({ requestId, credentialUuid: requestId }, "call failed");
  });
  const [call, failed] = text.trim().split("\n");
  expect(call).toContain(`"requestId":"${requestId}"`);
  expect(failed).toContain(`"requestId":"${requestId}","credentialUuid":"f58a4a10…"`);
});

test("a long word is redacted quickly", async () => {
  const begun = process.cpuUsage();
  await logged((log) => log.error({ err: new Error(`${"a".repeat(100_000)} @`) }, "failed"));
  expect(processorMs(begun)).toBeLessThan(2_000);
});

test.each([
  { isTTY: true, line: /^\[\d\d:\d\d:\d\d\.\d{3}\] WARN: it rains \{"city":"Porto"\}\n$/ },
  { isTTY: false, line: /^\{"level":40,"time":\d{13},"city":"Porto","msg":"it rains"\}\n$/ },
])("if the output is a terminal: $isTTY, a line reads as $line", ({ isTTY, line }) => {
  const program = `process.stderr.isTTY = ${isTTY};
    const { createLog } = await import(${JSON.stringify(join(BUILT, "dist/src/foundation/log/log.js"))});
    (await createLog()).warn({ city: "Porto" }, "it rains");`;
  const args = ["--input-type=module", "--eval", program];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: import.meta.dirname,
    encoding: "utf8",
    env: { PATH: process.env.PATH, NO_COLOR: "1" },
  });
  expect(stderr).toMatch(line);
  expect(stdout).toBe("");
});
