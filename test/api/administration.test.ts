import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Role } from "#gen/learning_credentials/options/v1/options_pb.js";
import {
  AdministrationService,
  HealthState,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { CallerService } from "#gen/learning_credentials/v1/caller_service_pb.js";
import { enqueueJobs } from "#infrastructure/jobs/enqueue.js";
import { settingNames } from "#runtime/settings/config.js";
import { secretNames } from "#runtime/settings/read-secret-files.js";
import { callAtConsole, postSecret, SAME_ORIGIN, signIn } from "../edges/console/console-session.js";
import { type Authority, openAuthority } from "../sealing/authority.js";
import { type Academy, openAcademy } from "../support/academy.js";
import { givenDirectory } from "../support/directory.js";
import { tokenOf } from "../support/service.js";
import { writeSigningKeys } from "../support/signing-keys.js";

const HUSH = "hush hush hush hush hush hush hush hush";
const directory = givenDirectory("administration");
let authority: Authority;
let academy: Academy;
let client: ReturnType<typeof open>;

function open(token: string) {
  return academy.service.client(AdministrationService, token);
}

beforeAll(async () => {
  authority = await openAuthority();
  const { certFile, keyFile } = await authority.issue("seal", "P-256", {
    days: ["20260101000000Z", "20991231000000Z"],
  });
  const keys = await writeSigningKeys(directory);
  const issuers = {
    Law: { name: "Faculty of Law", signing_keys: keys.split(","), url: "https://law.example" },
  };
  await writeFile(join(directory, "issuers.json"), JSON.stringify(issuers));
  academy = await openAcademy({
    signs: true,
    settings: {
      ISSUERS_FILE: join(directory, "issuers.json"),
      PDF_SEAL_CERT_FILE: certFile,
      PDF_SEAL_KEY_FILE: keyFile,
      LTI_SECRET: HUSH,
      SMTP_URL: `smtp://mailer:${HUSH.replaceAll(" ", "")}@127.0.0.1:1`,
      MAIL_FROM: "a@example.org",
      OTEL_EXPORTER_OTLP_ENDPOINT: "",
      TSA_URLS: "https://user:hush@tsa.example/tsr,https://plain.example",
    },
  });
  client = open(await tokenOf({ username: "lms", service: "write" }));
});
afterAll(async () => {
  await academy.service.stop();
  await authority.remove();
});

test("a link created here signs in with its roles; the session is listed, and can be ended by its id or name", async () => {
  const { service } = academy;
  await academy.report({ case: "learner", value: { username: "rita", fullName: "Rita Registrar" } });
  const { url } = await client.createSignInLink({
    username: "rita",
    roles: [Role.REGISTRAR],
    organisations: ["Law", "Uni"],
  });
  const secret = new URL(url).hash.replace("#sign-in=", "");
  const { headers } = await postSecret(service, secret);
  const [cookie = ""] = String(headers["set-cookie"]).split(";");
  const own = await signIn(service, { username: "ada", roles: ["admin"] });
  const listed = await callAtConsole(service, AdministrationService.method.listSessions, {}, { cookie: own });
  const { sessions } = JSON.parse(listed.body);
  expect(sessions).toMatchObject([
    { username: "ada", isOwn: true, roles: expect.arrayContaining(["ROLE_ADMIN"]) },
    {
      username: "rita",
      fullName: "Rita Registrar",
      roles: ["ROLE_VIEWER", "ROLE_REGISTRAR"],
      isBounded: true,
      organisations: ["Law", "Uni"],
    },
  ]);
  const isIn = async () =>
    (await callAtConsole(service, CallerService.method.getCaller, {}, { cookie })).status === 200;
  const [, { id }] = sessions;
  expect(await client.endSessions({ username: "ada", sessionId: id })).toMatchObject({ count: 0 });
  expect(await isIn()).toBe(true);
  expect(await client.endSessions({ username: "rita", sessionId: id })).toMatchObject({ count: 1 });
  expect(await isIn()).toBe(false);
  const unused = await client.createSignInLink({ username: "rita" });
  expect(await client.endSessions({ username: "rita" })).toMatchObject({ count: 0 });
  const late = await postSecret(service, new URL(unused.url).hash.replace("#sign-in=", ""), SAME_ORIGIN);
  expect(late.status).toBe(403);
});

test("each setting is described; the values of secrets and the passwords in addresses are left out", async () => {
  const { settings } = await client.listSettings({});
  expect(settings.map(({ name }) => name).sort()).toEqual([...settingNames].sort());
  expect(settings.filter(({ type, meaning }) => type === "" || meaning === "")).toEqual([]);
  expect(
    settings
      .filter(({ isSecret }) => isSecret)
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...secretNames].sort());
  expect(JSON.stringify(settings)).not.toMatch(/hush|another secret that only tests know/);
  const named = (name: string) => settings.find((each) => each.name === name);
  expect(named("LTI_SECRET")).toMatchObject({ isSet: true, isSecret: true, value: "" });
  expect(named("TSA_URLS")?.value).toBe("https://tsa.example/tsr,https://plain.example");
  expect(named("TIME_ZONE")).toMatchObject({
    isSet: false,
    value: "",
    default: "UTC",
    meaning: "time zone of issue and expiry dates, and of schedules that name no other",
  });
});

test("organisations are those with courses, an issuer or a branding", async () => {
  await academy.configurations.updateBrand({ brand: { organisation: "Art", name: "School of Art" } });
  expect(await client.listOrganisations({})).toMatchObject({
    organisations: [
      { organisation: "Art", learningContextCount: 0, hasBrand: true },
      { organisation: "Law", issuer: { name: "Faculty of Law", url: "https://law.example", keyCount: 2 } },
      { organisation: "Uni", learningContextCount: 1, hasBrand: false },
    ],
    defaultIssuer: {
      name: "Learning Credentials",
      keyCount: 2,
      hasSeal: true,
      sealExpireTime: timestampFromDate(new Date("2099-12-31T00:00:00Z")),
    },
  });
});

test("health reports waiting and failed jobs; jobs that wait after a failure run immediately", async () => {
  const { knex } = academy.service.app.database;
  await knex("jobs").delete();
  expect(await client.getHealth({})).toMatchObject({
    state: HealthState.DEGRADED,
    dependencies: expect.arrayContaining([
      expect.objectContaining({ name: "database", works: true, problem: "" }),
      expect.objectContaining({
        name: "mail",
        works: false,
        problem: expect.stringContaining("the connection was refused"),
      }),
    ]),
    queue: [],
    failedCredentialCount: 0,
  });
  await academy.enrol("eve");
  const { uuid } = await academy.issue("eve");
  await academy.fail(uuid);
  await knex("jobs").delete();
  await enqueueJobs(knex, [
    { task: "send_mail", payload: { credentialUuid: crypto.randomUUID(), mailId: 1 } },
    { task: "send_mail", payload: { credentialUuid: crypto.randomUUID(), mailId: 2 } },
  ]);
  const lastError = `550 no mailbox <ana.kovac@example.org> "Ana Kovač" here`;
  await knex.raw(
    `update jobs set attempts = 1, last_error = ?, run_at = now() + interval '2 seconds'
     where id = (select min(id) from jobs)`,
    [lastError],
  );
  expect(await client.getHealth({})).toMatchObject({
    queue: [
      { task: "send_mail", ready: 1, running: 0, later: 1, failed: 1, lastError: "550 no mailbox … … here" },
    ],
    failedCredentialCount: 1,
  });
  expect(await client.retryJobs({ task: "send_mail" })).toMatchObject({ count: 1 });
  expect((await client.getHealth({})).queue).toMatchObject([{ ready: 2, later: 0, failed: 1 }]);
});
