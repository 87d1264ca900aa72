import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { downloadLink } from "#domain/credentials/download/download-link.js";
import { logOptions } from "#foundation/log/log.js";
import { type Credential, CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { startSmtpSink } from "../../email/smtp-sink.js";
import { COURSE, openAcademy } from "../../support/academy.js";
import { tokenOf } from "../../support/service.js";

const USERNAME = "zdenka.q";
const NAME = "Zdenka Qvortrup";
const EMAIL = "zdenka.qvortrup@uni.test";

const logged: string[] = [];
const log = pino({ ...logOptions, level: "trace" }, { write: (line) => void logged.push(line) });

const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 50 });

test("whatever happens, the log contains no learner's name, no token and no UUID of a credential", async () => {
  const smtp = await startSmtpSink();
  const academy = await openAcademy({
    worker: true,
    log,
    settings: { SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, MAIL_FROM: "no-reply@academy.test" },
  });
  const { service, credentials, configurationId } = academy;
  onTestFinished(() => service.stop());
  const { knex } = service.app.database;
  const platform = await tokenOf({ username: "lms", service: "write" });
  const learner = await tokenOf({ username: USERNAME });
  const records = service.client(LearnerRecordService, platform);
  const get = (path: string, token?: string) =>
    fetch(`${service.httpUrl}${path}`, {
      redirect: "manual",
      headers: token ? { authorization: `JWT ${token}` } : {},
    });
  const refused = (call: Promise<unknown>) => expect(call).rejects.toThrow();
  const secret = service.app.secrets.urlSigningSecrets[0];
  const linkOf = async ({ uuid }: Credential) => {
    const linked = await knex("credentials").where({ uuid }).first("uuid", { linkVersion: "link_version" });
    return downloadLink("", secret, linked);
  };
  const isMade = async ({ uuid }: Credential) =>
    expect(await credentials.getCredential({ uuid })).toMatchObject({ status: CredentialStatus.AVAILABLE });
  const report = (username: string) =>
    academy.report({ case: "learner", value: { username, fullName: NAME, email: EMAIL } });

  // Sends an email that is refused with a reply that names its recipient.
  await academy.enrol(USERNAME);
  await report(USERNAME);
  smtp.answers.rcptTo.push(`550 5.1.1 <${EMAIL}> ${NAME} is unknown here`);
  const issued = await credentials.issueCredential({ configurationId, username: USERNAME });
  await until(() => isMade(issued));
  await until(async () => expect(logged.join("")).toContain("email about a credential was refused"));

  // Breaks the file store, whose errors mention paths.
  const files = join(service.app.config.dataDir, "files");
  await academy.enrol("zdenka.r");
  await report("zdenka.r");
  await rename(files, `${files}.aside`);
  await writeFile(files, "");
  const delayed = await credentials.issueCredential({ configurationId, username: "zdenka.r" });
  await until(async () => expect(logged.join("")).toContain("job failed; retrying"));
  await rm(files);
  await rename(`${files}.aside`, files);
  await until(() => isMade(delayed));

  // Sends requests of every kind, by every caller, for every resource.
  const link = await linkOf(issued);
  const paths = [
    `/api/learning_credentials/v1/metadata/${issued.verifyUuid}/`,
    `/verify/${issued.verifyUuid}/`,
    `/download/credential/${issued.uuid}/`,
    `/api/learning_credentials/v1/eligibility/${COURSE}/?username=${USERNAME}`,
    link,
    "/download/nonsense/",
  ];
  for (const path of paths) for (const token of [undefined, learner, `${learner}x`]) await get(path, token);
  await refused(service.client(CredentialService, `${learner}x`).getCredential({ uuid: issued.uuid }));
  await refused(
    records.upsertRecords({ records: [{ kind: { case: "learner", value: { fullName: NAME } } }] }),
  );
  await refused(
    records.upsertRecords({
      records: [
        { kind: { case: "learner", value: { username: USERNAME, fullName: NAME, email: `${EMAIL}@` } } },
      ],
    }),
  );
  await refused(
    service.client(CredentialService, platform).importCredentials(
      (async function* () {
        yield { credentials: [{ username: USERNAME, userFullName: `${NAME}\n` }] };
      })(),
    ),
  );

  // Makes the database refuse statements. Its errors contain the statements and rows.
  await knex.raw("alter table credentials rename to away");
  for (const path of paths) await get(path, learner);
  await knex.raw("alter table away rename to credentials");
  await knex.raw("alter table learners add constraint nobody check (false) not valid");
  await refused(report("zdenka.s"));
  await knex.raw("alter table learners drop constraint nobody");

  await credentials.invalidateCredential({ uuid: issued.uuid, reason: `${NAME} has asked for it.` });
  await until(async () => {
    const { rows } = await knex.raw("select from jobs");
    expect(rows).toEqual([]);
  });
  for (const username of [USERNAME, "zdenka.r"]) await records.eraseLearner({ username });
  for (const path of paths) await get(path, learner);

  const text = logged.join("");
  expect(text).toContain('"msg":"call failed"');
  for (const route of ["/verify/", "/download/"]) expect(text).toContain(`"method":"GET ${route}"`);
  expect(text).toContain(`"credentialUuid":"${issued.uuid.slice(0, 8)}…"`);
  const secrets = [
    ...["Zdenka", "Qvortrup", "zdenka", EMAIL],
    ...[platform, learner].flatMap((token) => token.split(".").slice(1)),
    ...[issued, delayed].flatMap(({ uuid, verifyUuid }) => [uuid, verifyUuid]),
    link.split("/").at(-2) ?? "",
    secret,
  ];
  for (const reported of secrets) {
    expect(logged.filter((line) => line.includes(reported))).toEqual([]);
  }
  const calls = logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "call");
  for (const call of calls) {
    expect(Object.keys(call)).toEqual([
      "level",
      "time",
      "requestId",
      "method",
      "caller",
      "client",
      "code",
      "ms",
      "msg",
    ]);
  }
  expect(new Set(calls.map(({ caller }) => caller))).toEqual(new Set(["anonymous", "user", "service"]));
}, 120_000);
