import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import PostalMime, { type Email } from "postal-mime";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { downloadLink } from "#domain/credentials/download/download-link.js";
import type { LinkSubject } from "#domain/credentials/signed-link.js";
import { type Credential, CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { EmailState } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { enqueueJobs } from "#infrastructure/jobs/enqueue.js";
import { startSmtpSink } from "../../email/smtp-sink.js";
import { startS3rver } from "../../files/s3/endpoints.js";
import { openProxy } from "../../jobs/tcp-proxy.js";
import { type Academy, givenAcademy, openAcademy } from "../../support/academy.js";
import { createTestDatabase } from "../../support/database.js";
import { freePort } from "../../support/free-port.js";
import { stopHealthy } from "../../support/health.js";
import { startTestService } from "../../support/service.js";

const PUBLIC_URL = "https://credentials.test";
const LINK = /https:\/\/credentials\.test\/download\/[\w-]{70}\//;
/** Matches what must not appear in any log. Stack traces may mention this service's source files in `download/`. */
const PERSONAL = /@uni\.test|Lovelace|\/download\/[\w-]{70}|credentials\.test\/files/;

let logged = "";
const log = pino({ level: "trace" }, { write: (line) => (logged += line) });
afterAll(() => {
  expect(logged).not.toBe("");
  expect(logged.match(PERSONAL)?.[0]).toBeUndefined();
});

/** Imports a learner's record and an enrolment in the academy, and issues a credential. */
async function issue(academy: Academy, username: string, locale = ""): Promise<Credential> {
  const { credentials, configurationId } = academy;
  const email = `${username}@uni.test`;
  await academy.enrol(username);
  await academy.report({ case: "learner", value: { username, fullName: "Vera Lovelace", email, locale } });
  return credentials.issueCredential({ configurationId, username });
}

async function jobs({ service }: Academy): Promise<{ attempts: number; lastError: string | null }[]> {
  const { rows } = await service.app.database.knex.raw(
    `select attempts, last_error as "lastError" from jobs`,
  );
  return rows;
}

/** Makes jobs that wait for a retry due immediately. */
async function hurry({ service }: Academy): Promise<void> {
  const { knex } = service.app.database;
  await knex.raw("update jobs set run_at = now() where run_at > now()");
  await knex.raw("select pg_notify('jobs', '')");
}

const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 50 });

const allDone = (academy: Academy) => until(async () => expect(await jobs(academy)).toEqual([]));

/** Returns the emails in the data directory, by the UUID of the credential. */
async function emails({ service }: Academy): Promise<Map<string, Email>> {
  const directory = join(service.app.config.dataDir, "mails");
  const names = await readdir(directory).catch(() => []);
  return new Map(
    await Promise.all(
      names.map(
        async (name) =>
          [name.replace(/@.*/, ""), await PostalMime.parse(await readFile(join(directory, name)))] as const,
      ),
    ),
  );
}

/** Requests a URL of the service without following redirects. */
function visit({ service }: Academy, url: string, method = "GET"): Promise<Response> {
  return fetch(url.replace(PUBLIC_URL, service.httpUrl), { method, redirect: "manual" });
}

describe("with a worker and no email server", () => {
  const academy = givenAcademy(
    { worker: true, log, settings: { PLATFORM_NAME: "Harbour Light" } },
    stopHealthy,
  );

  test("each credential is emailed once, in the learner's language or else the service's", async () => {
    const locales = { ana: "es-419", fadi: "ar", nobody: "", klingon: "tlh" };
    const expected = { ana: "es", fadi: "ar", nobody: "en", klingon: "en" };
    const issued = new Map<string, string>();
    for (const [username, locale] of Object.entries(locales)) {
      issued.set((await issue(academy, username, locale)).uuid, username);
    }
    await allDone(academy);
    const sent = await emails(academy);
    expect([...sent.keys()].sort()).toEqual([...issued.keys()].sort());
    for (const [uuid, sentEmail] of sent) {
      const username = issued.get(uuid) as keyof typeof expected;
      expect(sentEmail.to).toEqual([{ address: `${username}@uni.test`, name: "" }]);
      expect(sentEmail.from).toMatchObject({ address: "no-reply@localhost", name: "Harbour Light" });
      expect(sentEmail.html).toContain(`<html lang="${expected[username]}"`);
      expect(sentEmail.subject).toContain("Course One");
      for (const part of ["Harbour Light", "Course One", "Certificate"])
        expect(sentEmail.text).toContain(part);
      expect(sentEmail.messageId).toBe(`<${uuid}@localhost>`);
    }
    const links = [...sent.values()].map(({ text }) => LINK.exec(text ?? "")?.[0]);
    expect(new Set(links).size).toBe(4);
  });

  test("the institution's own words are in the email as they were at issue", async () => {
    const say = (mail_text: string | null) =>
      academy.configurations.updateCredentialConfiguration({
        credentialConfiguration: { id: academy.configurationId, customOptions: { mail_text } },
      });
    await expect(say(" ")).rejects.toThrow("mail_text: must not be blank");
    await expect(say("x".repeat(2001))).rejects.toThrow("mail_text");
    await say("Well done, {name}!\n\nSee <you> at the ceremony.");
    const { uuid } = await issue(academy, "wordy");
    await say(null);
    await allDone(academy);
    const sentEmail = (await emails(academy)).get(uuid);
    expect(sentEmail?.text).toContain("\n\nWell done, {name}!\n\nSee <you> at the ceremony.\n\n");
    expect(sentEmail?.html).toContain('<p dir="auto">See &lt;you&gt; at the ceremony.</p>');
  });

  test("a withdrawal email contains its reason; a replacement is mentioned in the email about the new one", async () => {
    const [withdrawn, replaced] = [await issue(academy, "wanda"), await issue(academy, "rita")];
    await allDone(academy);
    await academy.credentials.invalidateCredential({ uuid: withdrawn.uuid, reason: "Issued twice." });
    const { uuid } = await academy.credentials.reissueCredential({ uuid: replaced.uuid, reason: "A name." });
    await allDone(academy);
    const sent = await emails(academy);
    const notice = sent.get(`${withdrawn.uuid}-withdrawn`);
    expect(notice?.subject).toBe("Harbour Light: your credential for Course One was withdrawn");
    expect(notice?.text).toContain("Hello Vera Lovelace,");
    expect(notice?.text).toContain("Reason: Issued twice.");
    expect(notice?.text).toContain(`/verify/${withdrawn.verifyUuid}/`);
    expect(sent.has(`${replaced.uuid}-withdrawn`)).toBe(false);
    expect(sent.get(uuid)?.subject).toBe("Harbour Light: your credential for Course One was replaced");
    expect(sent.get(uuid)?.text).toMatch(LINK);

    const many = await issue(academy, "bulk");
    await allDone(academy);
    await academy.credentials.invalidateCredentials({
      filter: { username: "bulk" },
      reason: "Issued twice.",
    });
    await allDone(academy);
    expect((await emails(academy)).has(`${many.uuid}-withdrawn`)).toBe(true);
  });

  test("the link in the email leads to the document", async () => {
    const { uuid } = await issue(academy, "reader");
    await allDone(academy);
    const [link = ""] = LINK.exec((await emails(academy)).get(uuid)?.text ?? "") ?? [];
    const redirect = await visit(academy, link);
    expect(redirect.status).toBe(302);
    expect(redirect.headers.get("cache-control")).toBe("no-store");
    expect(redirect.headers.get("referrer-policy")).toBe("no-referrer");
    const file = await visit(academy, redirect.headers.get("location") ?? "");
    expect(file.status).toBe(200);
    expect(file.headers.get("content-type")).toBe("application/pdf");
    expect(
      Buffer.from(await file.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe("%PDF-");
  });
});

describe("the recipient", () => {
  const academy = givenAcademy({ log });

  /** Generates a file without a worker, so that its email stays in the queue. */
  async function made(username: string): Promise<string> {
    const { uuid } = await issue(academy, username);
    await academy.generate(uuid);
    return uuid;
  }

  test("is determined when the email is sent", async () => {
    const { knex } = academy.service.app.database;
    const failed = await issue(academy, "failed");
    await academy.fail(failed.uuid);
    const waiting = await issue(academy, "waiting");
    const invalidated = await made("invalidated");
    await academy.invalidate(invalidated);
    for (const username of ["inactive", "withdrawn", "unreachable", "moved", "steady"]) await made(username);
    const learner = (username: string, change: object) =>
      ({ case: "learner", value: { username, fullName: "Vera Lovelace", ...change } }) as const;
    await academy.report(
      learner("inactive", { email: "inactive@uni.test", isActive: false }),
      learner("unreachable", { email: "" }),
      learner("moved", { email: "elsewhere@uni.test", locale: "de" }),
    );
    await academy.withdraw(learner("withdrawn", {}));
    await knex.raw("delete from jobs where payload->'credentialId' is not null");
    expect(await jobs(academy)).toHaveLength(6);
    const untrue = await knex("credential_mails")
      .insert(
        [failed, waiting].map(({ uuid }) => ({ credential_uuid: uuid, kind: "available", state: "waiting" })),
      )
      .returning(["id", "credential_uuid"]);
    const unknown = { id: 999_999, credential_uuid: "00000000-0000-4000-8000-000000000000" };
    await enqueueJobs(
      knex,
      [...untrue, unknown].map(({ id, credential_uuid }) => ({
        task: "send_mail",
        payload: { credentialUuid: credential_uuid, mailId: id },
      })),
    );

    const settings = { PLATFORM_NAME: "Foo University" };
    const renamed = await startTestService({ worker: true, log, settings, beside: academy.service });
    await allDone(academy).finally(renamed.stop);
    const sent = [...(await emails(academy)).values()];
    for (const { text, html, subject } of sent) {
      for (const part of [text, html, subject]) {
        expect(part).toContain("Learning Credentials"); // the name of the issuer when the credential was issued
        expect(part).not.toContain("Foo University");
      }
    }
    expect(sent.flatMap(({ to }) => to?.map(({ address }) => address)).sort()).toEqual([
      "elsewhere@uni.test",
      "steady@uni.test",
    ]);
    expect(sent.find(({ to }) => to?.[0]?.address === "elsewhere@uni.test")?.html).toContain('lang="de"');
  });
});

describe("an attempt", () => {
  const academy = givenAcademy({ log });

  const waitingEmails = async () => {
    const { rows } = await academy.service.app.database.knex.raw(
      "select payload->>'credentialUuid' as uuid from jobs where payload->'credentialUuid' is not null",
    );
    return rows.map(({ uuid }: { uuid: string }) => uuid);
  };

  test("enqueues an email if it wins, and none if it is superseded or fails", async () => {
    const { uuid } = await issue(academy, "contested");
    const id = await academy.idOf(uuid);
    const put = () => Promise.reject(new Error("the disk is gone"));
    await expect(academy.generate(id, { files: { put } })).rejects.toThrow("the disk is gone");
    expect(await waitingEmails()).toEqual([]);
    await Promise.all([academy.generate(id), academy.generate(id), academy.generate(id)]);
    await academy.generate(id);
    expect(await waitingEmails()).toEqual([uuid]);
  });

  test("leaves the credential unchanged if the email can't be enqueued", async () => {
    const { knex } = academy.service.app.database;
    const { uuid } = await issue(academy, "undone");
    await knex.raw(
      "alter table jobs add constraint no_mail check (payload->'credentialUuid' is null) not valid",
    );
    await expect(academy.generate(uuid)).rejects.toThrow();
    await knex.raw("alter table jobs drop constraint no_mail");
    expect((await academy.credentials.getCredential({ uuid })).status).toBe(CredentialStatus.GENERATING);
    await academy.generate(uuid);
    expect((await academy.credentials.getCredential({ uuid })).status).toBe(CredentialStatus.AVAILABLE);
    expect(await waitingEmails()).toContain(uuid);
  });
});

describe("a download link", () => {
  const academy = givenAcademy({ log });
  let available: LinkSubject;
  beforeAll(async () => {
    available = await made("ready");
  });

  async function made(username: string): Promise<LinkSubject> {
    const { uuid } = await issue(academy, username);
    await academy.generate(uuid);
    return { uuid, linkVersion: 1 };
  }

  const secret = () => academy.service.app.secrets.urlSigningSecrets[0];
  const linkTo = (linked: LinkSubject, key = secret()) => downloadLink(PUBLIC_URL, key, linked);
  const tokenOf = (link: string) => link.split("/")[4] ?? "";
  const shown = async (response: Response) => ({
    status: response.status,
    headers: [...response.headers].filter(([name]) => name !== "date" && name !== "x-request-id"),
    body: await response.text(),
  });

  test("that is forged, cut off, revoked or leads nowhere gets the same response", async () => {
    const token = tokenOf(linkTo(available));
    const other = tokenOf(linkTo({ ...available, linkVersion: 2 }));
    const unknown = { uuid: "00000000-0000-4000-8000-000000000000", linkVersion: 1 };
    const revoked = await made("revoked");
    await academy.service.app.database
      .knex("credentials")
      .where("uuid", revoked.uuid)
      .update("link_version", 2);
    const { uuid: waiting } = await issue(academy, "waiting");
    const { uuid: failed } = await issue(academy, "failed");
    await academy.fail(failed);

    // The last character carries 2 bits that are used and 4 that are ignored.
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const sameBytes = token.slice(0, -1) + alphabet[alphabet.indexOf(token.slice(-1)) + 1];
    expect(Buffer.from(sameBytes, "base64url")).toEqual(Buffer.from(token, "base64url"));
    const tokens = [
      "",
      "x",
      "%20",
      sameBytes,
      `${token}=`,
      token.slice(0, -1),
      `${token}A`,
      token.replace(/^./, (first) => (first === "A" ? "B" : "A")),
      other.slice(0, 27) + token.slice(27),
      token.slice(0, 27) + other.slice(27),
      "A".repeat(70),
      ...[
        linkTo({ ...available, linkVersion: 2 }),
        linkTo({ ...available, linkVersion: 0 }),
        linkTo(available, "a secret of somebody else, 32 long"),
        linkTo(unknown),
        linkTo(revoked),
        linkTo({ uuid: waiting, linkVersion: 1 }),
        linkTo({ uuid: failed, linkVersion: 1 }),
      ].map(tokenOf),
    ];
    const answers = await Promise.all(
      [...tokens.map((text) => `/download/${text}/`), "/download/", `/download/${token}/more/`].map(
        async (path) => shown(await visit(academy, PUBLIC_URL + path)),
      ),
    );
    expect(answers[0]).toMatchObject({
      status: 404,
      body: expect.stringContaining("This link doesn’t work"),
    });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect((await visit(academy, linkTo({ ...revoked, linkVersion: 2 }))).status).toBe(302);
  });

  test("works any number of times, with or without a trailing slash, with any query", async () => {
    const link = linkTo(available);
    for (const url of [
      link,
      link,
      link.slice(0, -1),
      `${link}?utm_source=mail`,
      `${link.slice(0, -1)}?a=/b`,
    ]) {
      expect((await visit(academy, url)).status).toBe(302);
    }
  });

  test("supports HEAD and GET only", async () => {
    const head = await visit(academy, linkTo(available), "HEAD");
    expect(head.status).toBe(302);
    expect(head.headers.get("location")).toMatch(/^https:\/\/credentials\.test\/files\//);
    expect((await visit(academy, `${PUBLIC_URL}/download/x/`, "HEAD")).status).toBe(404);
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
      const refused = await visit(academy, linkTo(available), method);
      expect(refused.status).toBe(405);
      expect(refused.headers.get("allow")).toBe("GET, HEAD");
    }
  });

  test("reports that the credential was invalidated, unless the link was revoked", async () => {
    const linked = await made("invalidated");
    await academy.invalidate(linked.uuid);
    const answer = await shown(await visit(academy, linkTo(linked)));
    expect(answer).toMatchObject({ status: 410, body: expect.stringContaining("was withdrawn") });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "content-type": "text/html; charset=utf-8",
    });
    expect((await visit(academy, linkTo({ ...linked, linkVersion: 2 }))).status).toBe(404);
  });

  test("is not logged if following it fails", async () => {
    const { knex } = academy.service.app.database;
    const link = linkTo(available);
    await knex.raw("alter table credentials rename to credentials_away");
    expect((await visit(academy, link)).status).toBe(500);
    await knex.raw("alter table credentials_away rename to credentials");
    expect((await visit(academy, link)).status).toBe(302);
    expect(logged).toMatch(/"method":"GET \/download\/".*"msg":"call failed"/);
  });
});

test("a download link gives 503 while the database can't be reached, and works again later", {
  timeout: 60_000,
}, async () => {
  const { url, drop } = await createTestDatabase();
  const proxy = await openProxy(url);
  onTestFinished(async () => {
    proxy.cut();
    await drop();
  });
  const academy = await openAcademy({ log, settings: { DATABASE_URL: proxy.url } });
  onTestFinished(academy.service.stop);
  const { uuid } = await issue(academy, "patient");
  await academy.generate(uuid);
  const [urlSigningSecret] = academy.service.app.secrets.urlSigningSecrets;
  const link = downloadLink(PUBLIC_URL, urlSigningSecret, { uuid, linkVersion: 1 });

  proxy.cut();
  const answer = await visit(academy, link);
  expect(answer.status).toBe(503);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(await answer.text()).toContain("Try again later.");
  await proxy.mend();
  await expect.poll(async () => (await visit(academy, link)).status).toBe(302);
});

test("a download link leads to a file in S3, too", async () => {
  const s3 = await startS3rver();
  onTestFinished(s3.stop);
  const academy = await openAcademy({ log, settings: s3.settings });
  onTestFinished(academy.service.stop);
  const { uuid } = await issue(academy, "cloudy");
  await academy.generate(uuid);
  const { secrets } = academy.service.app;
  const redirect = await visit(
    academy,
    downloadLink(PUBLIC_URL, secrets.urlSigningSecrets[0], { uuid, linkVersion: 1 }),
  );
  expect(redirect.status).toBe(302);
  const location = redirect.headers.get("location") ?? "";
  expect(location.startsWith(`${s3.endpoint}/credentials/`)).toBe(true);
  const file = await fetch(location);
  expect([file.status, file.headers.get("content-type")]).toEqual([200, "application/pdf"]);
});

describe("with an email server", () => {
  let academy: Academy;
  let port: number;
  beforeAll(async () => {
    port = await freePort();
    academy = await openAcademy({
      worker: true,
      log,
      settings: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "Registry <registry@academy.test>" },
    });
  });
  afterAll(() => academy.service.stop());

  test("a refused email leaves the credential available", async () => {
    const sink = await startSmtpSink("none", undefined, port);
    sink.answers.rcptTo.push("550 5.1.1 <refused@uni.test> Vera Lovelace is not here");
    const { uuid } = await issue(academy, "refused");
    await allDone(academy);
    expect((await academy.credentials.getCredential({ uuid })).status).toBe(CredentialStatus.AVAILABLE);
    expect(sink.received).toEqual([]);
    expect(logged).toContain(`"credentialUuid":"${uuid}","reason":"RCPT TO failed with 550 5.1.1"`);
  });

  test("that is temporarily unreachable, the email is sent later, once", async () => {
    const { uuid } = await issue(academy, "patient");
    await until(async () => {
      const [job] = await jobs(academy);
      expect(job?.lastError).toContain("The email server can't accept email at the moment");
    });
    expect((await academy.credentials.getCredential({ uuid })).status).toBe(CredentialStatus.AVAILABLE);
    const sink = await startSmtpSink("none", undefined, port);
    await hurry(academy);
    await allDone(academy);
    expect(sink.received).toMatchObject([{ from: "registry@academy.test", to: ["patient@uni.test"] }]);
    const sentEmail = await PostalMime.parse(sink.received[0]?.raw ?? "");
    expect(sentEmail.messageId).toBe(`<${uuid}@academy.test>`);
    expect(sentEmail.from).toMatchObject({ name: "Registry" });
    expect(sentEmail.subject).toContain("Course One");
    expect(sentEmail.text).toMatch(LINK);
  });

  test("whose response is lost gets the email again, with the same Message-ID", async () => {
    const sink = await startSmtpSink("none", undefined, port);
    sink.answers.data.push("drop");
    await issue(academy, "twice");
    await until(async () => expect((await jobs(academy))[0]?.lastError ?? "").not.toBe(""));
    await hurry(academy);
    await allDone(academy);
    const ids = await Promise.all(
      sink.received.map(async ({ raw }) => (await PostalMime.parse(raw)).messageId),
    );
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  test("gets the email again, with the same Message-ID, if sending it could not be recorded", async () => {
    const { knex } = academy.service.app.database;
    const sink = await startSmtpSink("none", undefined, port);
    await knex.raw(`
      create or replace function refuse() returns trigger language plpgsql as $$ begin raise exception 'no note'; end $$;
      create trigger no_note before update of sent_at on credential_mails execute function refuse()`);
    const { uuid } = await issue(academy, "unnoted");
    await until(async () => expect((await jobs(academy))[0]?.lastError ?? "").toContain("no note"));
    await knex.raw("drop trigger no_note on credential_mails");
    await hurry(academy);
    await allDone(academy);
    expect(sink.received).toHaveLength(2);
    for (const { raw } of sink.received) {
      expect((await PostalMime.parse(raw)).messageId).toBe(`<${uuid}@academy.test>`);
    }
    expect(await emailEvents(uuid)).toEqual(["emailed available available"]);
  });

  test("that always fails, the email is given up as refused, and can be resent", async () => {
    const { knex } = academy.service.app.database;
    const sink = await startSmtpSink("none", undefined, port);
    await knex.raw(`
      create or replace function refuse() returns trigger language plpgsql as $$ begin raise exception 'no note'; end $$;
      create trigger no_note before update of sent_at on credential_mails execute function refuse()`);
    const { uuid } = await issue(academy, "hopeless");
    await until(async () => expect((await jobs(academy))[0]?.lastError ?? "").toContain("no note"));
    await knex.raw("update jobs set attempts = max_attempts - 1");
    await hurry(academy);
    await allDone(academy);
    await knex.raw("drop trigger no_note on credential_mails");
    expect((await academy.credentials.listEmails({ credentialUuid: uuid })).emails).toMatchObject([
      { state: EmailState.REFUSED },
    ]);
    const emailed = sink.received.length;
    await academy.credentials.resendEmail({ uuid });
    await allDone(academy);
    expect(sink.received.length).toBe(emailed + 1);
  });

  test("gets no second email from a second job", async () => {
    const sink = await startSmtpSink("none", undefined, port);
    const { uuid } = await issue(academy, "once");
    await allDone(academy);
    expect(sink.received).toHaveLength(1);
    const { knex } = academy.service.app.database;
    const { id: mailId } = await knex("credential_mails").where({ credential_uuid: uuid }).first("id");
    await enqueueJobs(knex, [{ task: "send_mail", payload: { credentialUuid: uuid, mailId } }]);
    await allDone(academy);
    expect(sink.received).toHaveLength(1);
    expect(await emailEvents(uuid)).toEqual(["emailed available available"]);
  });

  test("that is slow: the event has the status at the end", async () => {
    const sink = await startSmtpSink("none", undefined, port);
    sink.answers.data.push("451 4.3.0 later");
    const { uuid } = await issue(academy, "overtaken");
    await until(async () => expect((await jobs(academy))[0]?.lastError ?? "").not.toBe(""));
    const { knex } = academy.service.app.database;
    const lock = await knex.transaction();
    await lock("credentials").where({ uuid }).forUpdate();
    const invalidating = academy.credentials.invalidateCredential({ uuid, reason: "Misspelt." });
    await until(async () => {
      const { rows } = await knex.raw(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      expect(rows).toHaveLength(1);
    });
    await hurry(academy);
    await until(async () => expect(sink.received).toHaveLength(1));
    await lock.commit();
    await invalidating;
    await allDone(academy);
    expect(await emailEvents(uuid)).toEqual(["emailed invalidated invalidated"]);
  });

  async function emailEvents(uuid: string): Promise<string[]> {
    const { rows } = await academy.service.app.database.knex.raw(
      `select concat_ws(' ', type, status_before, status_after) as event
       from (select type, credential_uuid, status_before, status_after from unsealed_credential_events union all
             select type, credential_uuid, status_before, status_after from credential_events) as event
       where credential_uuid = ? and type like 'email%'`,
      [uuid],
    );
    return rows.map(({ event }: { event: string }) => event);
  }
});
