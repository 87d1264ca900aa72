import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveOps } from "#app/serve-ops.js";
import { WebhookEndpointState } from "#gen/learning_credentials/v1/webhook_pb.js";
import { WebhookService } from "#gen/learning_credentials/v1/webhook_service_pb.js";
import { ended, startOn } from "../commands/run-command.js";
import { givenAcademy } from "../support/academy.js";
import { tokenOf } from "../support/service.js";
import { type Receiver, startReceiver } from "./receiver.js";

let receiver: Receiver;
let admin: string;
let status = 410;
const lines: { msg: string }[] = [];

const academy = givenAcademy({
  worker: true,
  settings: { ADMIN_PORT: "0" },
  log: pino({ level: "warn" }, { write: (line) => lines.push(JSON.parse(line)) }),
});
beforeAll(async () => {
  admin = `http://127.0.0.1:${await serveOps(academy.service.app)}`;
  receiver = await startReceiver(() => status);
  await academy.enrol("ana", "ben");
});
afterAll(async () => {
  await receiver.close();
});

async function emails(): Promise<string[]> {
  const directory = join(academy.service.app.config.dataDir, "mails");
  const names = await readdir(directory).catch(() => []);
  const texts = await Promise.all(names.map((name) => readFile(join(directory, name), "utf8")));
  return texts.map((text) => text.replaceAll(/=\r?\n/g, "")); // the quoted-printable encoding breaks long lines
}

const metrics = async () => (await fetch(`${admin}/metrics`)).text();

async function run(...args: string[]) {
  const { database, config } = academy.service.app;
  const settings = {
    DATABASE_URL: database.url,
    DATA_DIR: config.dataDir,
    WEBHOOK_SECRET: config.webhookSecrets.join("\n"),
    WEBHOOK_ALLOWED_NETWORKS: config.webhookAllowedNetworks.join(","),
  };
  return ended(startOn(settings, args));
}

test("a disabled endpoint is reported in the log, by a metric, by email, in the list, by doctor, and to others", async () => {
  const webhooks = academy.service.client(
    WebhookService,
    await tokenOf({ username: "lms", service: "write" }),
  );
  const { webhookEndpoint } = await webhooks.createWebhookEndpoint({
    webhookEndpoint: { url: receiver.url, contact: "ops@lms.test" },
  });
  const id = webhookEndpoint?.id ?? "";
  const other = await startReceiver();
  await webhooks.createWebhookEndpoint({ webhookEndpoint: { url: other.url } });
  await academy.issue("ana");
  const stateOf = async () => (await webhooks.listWebhookEndpoints({})).webhookEndpoints[0]?.state;
  await expect.poll(stateOf).toBe(WebhookEndpointState.DISABLED);

  expect(lines).toContainEqual(
    expect.objectContaining({ level: 50, endpoint: id, msg: "webhook endpoint disabled" }),
  );
  expect(await metrics()).toContain('learning_credentials_webhook_endpoints{state="disabled"} 1');
  expect(await metrics()).toMatch(/learning_credentials_webhook_seconds_count\{outcome="failed"\} [1-9]/);
  await expect
    .poll(async () => (await metrics()).includes(`webhook_lag_positions{endpoint="${id}"}`))
    .toBe(true);
  await expect
    .poll(async () => (await emails()).some((sentEmail) => sentEmail.includes("ops@lms.test")))
    .toBe(true);
  const [sentEmail = ""] = (await emails()).filter((each) => each.includes("ops@lms.test"));
  expect(sentEmail).toContain(`webhooks enable ${id}`);
  expect(sentEmail).not.toContain("/hooks"); // the path of a URL may be a secret

  const reported = () => other.received.filter(({ parsed: { type } }) => type === "webhook.disabled");
  await expect.poll(reported).toHaveLength(1);
  expect(reported()[0]?.parsed.data).toMatchObject({ endpoint_id: id });
  await other.close();

  const { out } = await run("doctor", "--no-hash");
  expect(out).toContain("a webhook endpoint was disabled");
  const listed = await run("webhooks", "list");
  expect(listed.out).toContain(`${id}\tdisabled\t`);

  status = 200;
  expect(await run("webhooks", "enable", id)).toMatchObject({ code: 0, out: `enabled ${id}\n` });
  await expect.poll(stateOf).toBe(WebhookEndpointState.ENABLED);
  await expect
    .poll(() => receiver.received.filter(({ status: given }) => given === 200).length)
    .toBeGreaterThanOrEqual(2);
});

test("waiting events of an erased learner, and past attempts, name nobody", async () => {
  const { knex } = academy.service.app.database;
  await academy.report({
    case: "learner",
    value: { username: "ben", fullName: "Benedikta Vlk", email: "ben@uni.test" },
  });
  await knex("webhook_endpoints").update({ state: "paused" });
  const before = receiver.received.length;
  const { credentials } = academy;
  const { uuid } = await academy.issue("ben");
  await expect.poll(async () => (await credentials.getCredential({ uuid })).status).toBe(2);
  await run("erase", "ben");
  await knex("webhook_endpoints").update({ state: "enabled" });
  const types = () =>
    receiver.received.slice(before).flatMap(({ parsed }) => (parsed.subject === uuid ? parsed.type : []));
  await expect.poll(types).toContain("credential.erased");
  const { rows } = await knex.raw(
    "select attempt::text as row from webhook_attempts as attempt union all select endpoint::text from webhook_endpoints as endpoint",
  );
  const said = JSON.stringify([rows, receiver.received.slice(before)]);
  for (const name of ["Benedikta", "Vlk", "ben@uni.test", '"ben"']) expect(said).not.toContain(name);
});

test("the commands do the same as the API", async () => {
  const made = await run(
    "webhooks",
    "create",
    receiver.url,
    "--event",
    "issued",
    "--event",
    "expired",
    "--window",
    "1",
    "--after",
    "0",
  );
  const [, id = "", secret = ""] = /^id: (\S+)\nsecret: (\S+)\n$/.exec(made.out) ?? [];
  expect([made.code, made.err]).toEqual([0, ""]);
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
  expect((await run("webhooks", "test", id)).out).toMatch(/^accepted with 200 in \d+ ms\n$/);
  const attempts = async () => (await run("webhooks", "attempts", id)).out;
  await expect.poll(attempts).toMatch(/\tdelivered\t200\t\d+ ms\n/);
  expect((await run("webhooks", "update", id, "--description", "Ours")).out).toBe(`updated ${id}\n`);
  const rotated = await run("webhooks", "rotate", id, "--overlap", "2");
  expect(rotated.out).toMatch(/^whsec_/);
  expect(rotated.out.trim()).not.toBe(secret);
  expect((await run("webhooks", "pause", id)).out).toBe(
    `paused ${id}: events are kept until it is enabled\n`,
  );
  expect((await run("webhooks", "replay", id, "0")).out).toBe(`${id} continues after position 0\n`);
  expect((await run("webhooks", "skip", id, "1")).out).toBe(`${id} skips position 1\n`);
  status = 503;
  expect(await run("webhooks", "test", id)).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^not accepted: it responded with status 503/),
  });
  const refused = await run("webhooks", "create", "https://192.168.0.1/");
  expect(refused).toMatchObject({
    code: 1,
    err: expect.stringContaining("its address is not public (private)"),
  });
  expect((await run("webhooks", "create", "https://lms.test/", "--event", "nonsense")).err).toContain(
    "It must be one of issued,",
  );
  expect(await run("webhooks", "delete", id)).toMatchObject({ code: 0, out: `deleted ${id}\n` });
  expect((await run("webhooks", "delete", id)).err).toContain("There is no webhook endpoint");
  const audited = (await run("audit", "--object", `webhook:${id}`)).out;
  for (const method of ["create", "update", "rotate", "pause", "replay", "skip", "delete"])
    expect(audited).toContain(`"webhooks ${method}"`);
});
