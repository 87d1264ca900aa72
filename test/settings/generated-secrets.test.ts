import { pino } from "pino";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  AdministrationService,
  LtiObstacle,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { LtiService } from "#gen/learning_credentials/v1/lti_service_pb.js";
import { WebhookService } from "#gen/learning_credentials/v1/webhook_service_pb.js";
import { rowsOf } from "../support/database.js";
import { startTestService, type TestService, tokenOf } from "../support/service.js";
import { type Receiver, startReceiver } from "../webhooks/receiver.js";

const SECRET = "the only secret that the environment has for these";
const OTHER = "another secret, which can't decrypt what that one has";
const never = new AbortController().signal;

const lines: string[] = [];
let receiver: Receiver;
let service: TestService;
let token: string;

/** Starts the service again on the same data. */
const again = (settings: Record<string, string>) =>
  startTestService({
    beside: service,
    settings: { WEBHOOK_SECRET: "", SETTINGS_SECRET: SECRET, ...settings },
  });

beforeAll(async () => {
  token = await tokenOf({ username: "platform", service: "write" });
  receiver = await startReceiver();
  service = await startTestService({
    settings: { WEBHOOK_SECRET: "", SETTINGS_SECRET: SECRET },
    log: pino({ level: "trace" }, { write: (line) => void lines.push(line) }),
  });
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

const webhooks = (at: TestService) => at.client(WebhookService, token);
const obstacleOf = async (at: TestService) => {
  const { hasLti, ltiObstacle } = await at.client(AdministrationService, token).listConnectors({});
  expect(hasLti).toBe(ltiObstacle === LtiObstacle.UNSPECIFIED);
  return ltiObstacle;
};

/** Creates an endpoint. Returns its ID, and a function that verifies a test event from a service. */
async function createEndpoint(at: TestService) {
  const { webhookEndpoint, secret } = await webhooks(at).createWebhookEndpoint({
    webhookEndpoint: { url: receiver.url },
  });
  const id = webhookEndpoint?.id ?? "";
  return {
    id,
    async verify(from: TestService) {
      await webhooks(from).sendTestWebhook({ id });
      const { body, headers } = receiver.received.at(-1) ?? { body: "", headers: {} };
      return new Webhook(secret).verify(body, headers);
    },
  };
}

const signingKey = async ({ app }: TestService) =>
  (await (await app.openLti())?.toolKeys.signing(never))?.kid;

test("webhooks and LTI work with SETTINGS_SECRET alone, also after a restart", async () => {
  const { id, verify } = await createEndpoint(service);
  const { url } = await service.client(LtiService, token).createLtiInvitation({});
  expect(url).toContain("https://credentials.test/lti/");
  const kid = await signingKey(service);
  expect(kid).toMatch(/^[\w-]{16}$/);

  const restarted = await again({});
  expect(await signingKey(restarted)).toBe(kid);
  await expect(verify(restarted)).resolves.toMatchObject({ type: "webhook.test" });
  expect((await webhooks(restarted).listWebhookEndpoints({})).hasSecret).toBe(true);
  await restarted.stop();
  await webhooks(service).deleteWebhookEndpoint({ id });
});

test("a variable that is set later comes first, and loses nothing", async () => {
  const kid = await signingKey(service);
  const early = await createEndpoint(service);
  const later = await again({ WEBHOOK_SECRET: "w".repeat(32), LTI_SECRET: "l".repeat(32) });
  const late = await createEndpoint(later);
  expect(await signingKey(later), "the key is still readable").toBe(kid);
  await expect(early.verify(later)).resolves.toMatchObject({ type: "webhook.test" });
  await expect(late.verify(later)).resolves.toMatchObject({ type: "webhook.test" });
  await expect(late.verify(service), "signed without the variable").rejects.toThrow("No matching signature");
  await later.stop();
});

test("the secrets remain when SETTINGS_SECRET is replaced", async () => {
  const kid = await signingKey(service);
  const { verify } = await createEndpoint(service);
  const both = await again({ SETTINGS_SECRET: `${OTHER}\n${SECRET}` });
  expect(await both.app.storedSettings.renewSecrets(both.app.database.knex)).toBe(2);
  const replaced = await again({ SETTINGS_SECRET: OTHER });
  expect(await signingKey(replaced)).toBe(kid);
  await expect(verify(replaced)).resolves.toMatchObject({ type: "webhook.test" });

  const back = await again({ SETTINGS_SECRET: `${SECRET}\n${OTHER}` });
  expect(await back.app.storedSettings.renewSecrets(back.app.database.knex)).toBe(2);
  for (const each of [both, replaced, back]) await each.stop();
});

test.each([
  ["a different SETTINGS_SECRET", { SETTINGS_SECRET: OTHER }, LtiObstacle.SECRET_UNREADABLE],
  ["no SETTINGS_SECRET", { SETTINGS_SECRET: "" }, LtiObstacle.SECRET_UNREADABLE],
])("with %s, it says what is missing, and a variable is enough", async (_, settings, obstacle) => {
  const without = await again(settings);
  expect(await obstacleOf(without)).toBe(obstacle);
  await expect(without.client(LtiService, token).listLtiPlatforms({})).rejects.toThrow(
    /LTI is off: .* SETTINGS_SECRET has changed/,
  );
  expect((await webhooks(without).listWebhookEndpoints({})).hasSecret).toBe(false);
  await expect(createEndpoint(without)).rejects.toThrow(
    /If neither SETTINGS_SECRET nor WEBHOOK_SECRET is set, set one of them/,
  );
  await without.stop();

  const withVariables = await again({
    ...settings,
    WEBHOOK_SECRET: "w".repeat(32),
    LTI_SECRET: "l".repeat(32),
  });
  expect(await obstacleOf(withVariables)).toBe(LtiObstacle.UNSPECIFIED);
  await createEndpoint(withVariables);
  await withVariables.stop();
  expect(await obstacleOf(service), "nothing was replaced").toBe(LtiObstacle.UNSPECIFIED);
});

test("LTI requires HTTPS, and a service without secrets has neither", async () => {
  const plain = await again({ PUBLIC_URL: "http://credentials.test" });
  expect(await obstacleOf(plain)).toBe(LtiObstacle.PUBLIC_URL);
  await plain.stop();

  const bare = await startTestService({ settings: { WEBHOOK_SECRET: "", SETTINGS_SECRET: "" } });
  expect(await obstacleOf(bare)).toBe(LtiObstacle.SECRET_MISSING);
  expect((await webhooks(bare).listWebhookEndpoints({})).hasSecret).toBe(false);
  await bare.stop();
});

test("processes that start at the same time share the secrets, which appear nowhere", async () => {
  const { knex } = service.app.database;
  await knex.raw("delete from stored_settings");
  const started = await Promise.all([again({}), again({}), again({})]);
  const secretsOf = ({ app: { secrets, ltiSecrets } }: TestService) => [
    secrets.webhookSecrets,
    ltiSecrets.secrets,
  ];
  const [first] = started.map(secretsOf);
  for (const each of started) expect(secretsOf(each)).toEqual(first);
  const secrets = first?.flat() ?? [];
  expect(new Set(secrets).size).toBe(2);
  const dump = JSON.stringify(
    await rowsOf(service.app.config.databaseUrl as string, "select * from stored_settings"),
  );
  for (const secret of secrets)
    for (const text of [dump, lines.join("\n")]) expect(text).not.toContain(secret);
  for (const each of started) await each.stop();
});

test("no secret is generated beside a variable", async () => {
  const fixed = await startTestService({ settings: { LTI_SECRET: "l".repeat(32) } });
  expect(await rowsOf(fixed.app.config.databaseUrl as string, "select * from stored_settings")).toEqual([]);
  await fixed.stop();
});
