import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { work } from "#app/work.js";
import { queueExpiryNotices } from "#domain/credentials/emails/queue-expiry-notices.js";
import { EmailKind, EmailState } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { NEVER_ABORTS } from "#infrastructure/db/database.js";
import { startSmtpSink } from "../../email/smtp-sink.js";
import { type Academy, openAcademy } from "../../support/academy.js";
import { freePort } from "../../support/free-port.js";
import { codeAndMessage as refusal } from "../../support/refusal.js";

const { WAITING, SENT, REFUSED, NO_ADDRESS, DROPPED } = EmailState;

let smtpPort: number;
let academy: Academy;
beforeAll(async () => {
  smtpPort = await freePort();
  const settings = { SMTP_URL: `smtp://127.0.0.1:${smtpPort}`, MAIL_FROM: "registry@academy.test" };
  academy = await openAcademy({ settings });
});
afterAll(() => academy.service.stop());
beforeEach(() => academy.service.app.database.knex.raw("delete from jobs"));

/** Creates an available credential whose email is queued. */
async function available(username: string, email = `${username}@uni.test`): Promise<string> {
  await academy.enrol(username);
  await academy.report({ case: "learner", value: { username, fullName: "Vera", email } });
  const { uuid } = await academy.made(username);
  return uuid;
}

const emailOf = async (uuid: string, wanted = EmailKind.AVAILABLE) =>
  (await academy.credentials.listEmails({ credentialUuid: uuid })).emails.find(({ kind }) => kind === wanted);
const reaches = (uuid: string, state: EmailState) =>
  vi.waitFor(async () => expect((await emailOf(uuid))?.state).toBe(state), { timeout: 30_000 });

async function startWorker() {
  const sink = await startSmtpSink("none", undefined, smtpPort);
  const worker = work(academy.service.app);
  onTestFinished(() => worker.stop(5000));
  return sink;
}

describe("an email", () => {
  it("is resent to the current address, as a separate email", async () => {
    const uuid = await available("vera");
    expect(await emailOf(uuid)).toMatchObject({ username: "vera", state: WAITING, resendCount: 0 });
    expect(await academy.credentials.resendEmail({ uuid })).toMatchObject({ state: WAITING, resendCount: 0 });
    const sink = await startWorker();
    await reaches(uuid, SENT);
    await academy.report({
      case: "learner",
      value: { username: "vera", fullName: "Vera", email: "new@uni.test" },
    });
    expect(await academy.credentials.resendEmail({ uuid })).toMatchObject({ state: WAITING, resendCount: 1 });
    await reaches(uuid, SENT);
    const sent = sink.received.filter(({ to }) => /vera|new/.test(to.join()));
    expect(sent.map(({ to }) => to)).toEqual([["vera@uni.test"], ["new@uni.test"]]);
    const ids = sent.map(({ raw }) => /^Message-ID: (.*)$/im.exec(raw.toString())?.[1]?.trim());
    expect(ids).toEqual([`<${uuid}@academy.test>`, `<${uuid}-again-1@academy.test>`]);
  });

  it("that was refused, or had no address, is shown as such, and can be resent", async () => {
    const refused = await available("refused");
    const sink = await startWorker();
    sink.answers.rcptTo.push("550 5.1.1 nobody here");
    await reaches(refused, REFUSED);
    expect((await emailOf(refused))?.refusal).toBe("RCPT TO failed with 550 5.1.1");
    await academy.records.correctLearnerEmail({
      username: "refused",
      email: "accepted@uni.test",
      reason: "It was refused.",
    });
    await academy.credentials.resendEmail({ uuid: refused });
    await reaches(refused, SENT);
    expect((await emailOf(refused))?.refusal).toBe("");
    expect(sink.received.at(-1)?.to).toEqual(["accepted@uni.test"]);

    const without = await available("without", "");
    await reaches(without, NO_ADDRESS);
    expect(await refusal(academy.credentials.resendEmail({ uuid: without }))).toEqual([
      "FailedPrecondition",
      expect.stringContaining("Learner without has no email address"),
    ]);
    await academy.report({
      case: "learner",
      value: { username: "without", fullName: "W", email: "w@uni.test" },
    });
    await academy.credentials.resendEmail({ uuid: without });
    await reaches(without, SENT);
  });

  it("about a credential that is withdrawn first is dropped", async () => {
    const uuid = await available("dropped");
    await academy.credentials.invalidateCredential({ uuid, reason: "Issued in error." });
    await startWorker();
    await reaches(uuid, DROPPED);
    expect((await refusal(academy.credentials.resendEmail({ uuid })))[0]).toBe("FailedPrecondition");
  });

  it("about a credential that has expired is dropped, and can't be resent", async () => {
    const uuid = await available("expired");
    const { knex } = academy.service.app.database;
    await knex("credentials")
      .where({ uuid })
      .update({ created_at: new Date("2020-01-01"), valid_until: new Date("2021-01-01") });
    await startWorker();
    await reaches(uuid, DROPPED);
    expect(await refusal(academy.credentials.resendEmail({ uuid }))).toEqual([
      "FailedPrecondition",
      "The credential has expired: only emails about valid credentials can be resent.",
    ]);
  });

  it("is left out if the caller skips it, and can be sent later", async () => {
    const { credentials, configurationId } = academy;
    const quiet = async (username: string) => {
      await academy.enrol(username);
      const email = `${username}@uni.test`;
      await academy.report({ case: "learner", value: { username, fullName: "Vera", email } });
    };
    await quiet("quiet1");
    await quiet("quiet2");
    await credentials.issueCredential({ configurationId, username: "quiet1", skipEmail: true });
    const { run } = await credentials.startIssuanceRun({
      configurationId,
      usernames: ["quiet2"],
      skipEmail: true,
    });
    expect(run?.skipEmail).toBe(true);
    const [first, second] = [await academy.made("quiet1"), await academy.made("quiet2")];
    for (const { uuid } of [first, second]) expect(await emailOf(uuid)).toBeUndefined();
    expect(await credentials.resendEmail({ uuid: second.uuid })).toMatchObject({ state: WAITING });

    const reissued = await credentials.reissueCredential({
      uuid: first.uuid,
      reason: "Misspelt.",
      skipEmail: true,
    });
    await academy.made("quiet1");
    expect(await emailOf(reissued.uuid)).toBeUndefined();
    expect(await emailOf(first.uuid, EmailKind.WITHDRAWAL)).toBeUndefined();
    await credentials.invalidateCredential({ uuid: reissued.uuid, reason: "Wrong.", skipEmail: true });
    const filter = { uuids: [second.uuid] };
    await credentials.reissueCredentials({ filter, reason: "Misspelt.", skipEmail: true });
    const { uuid } = await academy.made("quiet2");
    expect(await emailOf(uuid)).toBeUndefined();
    await credentials.invalidateCredentials({ filter: { uuids: [uuid] }, reason: "Wrong.", skipEmail: true });
    for (const each of [reissued.uuid, uuid])
      expect(await emailOf(each, EmailKind.WITHDRAWAL)).toBeUndefined();
  });

  it("is previewed before a change as its learner would get it", async () => {
    const { credentials, configurationId } = academy;
    const uuid = await available("seen");
    await academy.report({
      case: "learner",
      value: { username: "seen", fullName: "Vera", email: "seen@uni.test", locale: "de" },
    });
    const about = { credentialUuid: uuid, reason: "Zweimal ausgestellt" };
    const withdrawal = await credentials.previewEmail({ ...about, kind: EmailKind.WITHDRAWAL });
    expect(withdrawal.recipientAddress).toBe("seen@uni.test");
    expect(withdrawal.text).toMatch(/Vera[\s\S]*widerrufen[\s\S]*Zweimal ausgestellt/);
    const reissue = await credentials.previewEmail({ ...about, kind: EmailKind.AVAILABLE });
    expect(reissue.subject).toBe("Learning Credentials: Ihr Nachweis für Course One wurde ersetzt");
    for (const sentEmail of [withdrawal, reissue]) expect(sentEmail.html).not.toContain("/download/");
    expect(reissue.images.map(({ contentId }) => contentId)).toEqual(["certificate"]);
    const issued = await credentials.previewEmail({
      kind: EmailKind.AVAILABLE,
      configurationId,
      username: "seen",
    });
    expect(issued.text).toContain("Vera");
    const sample = await credentials.previewEmail({ kind: EmailKind.AVAILABLE, configurationId });
    expect(sample).toMatchObject({ recipientAddress: "", text: expect.stringContaining("Ana Kovač") });
    for (const refused of [
      { ...about, kind: EmailKind.EXPIRY },
      { kind: EmailKind.WITHDRAWAL, configurationId },
    ])
      expect(await refusal(credentials.previewEmail(refused))).toEqual([
        "InvalidArgument",
        expect.stringContaining("kind"),
      ]);
  });

  it("is resent at most five times a day", async () => {
    const uuid = await available("often");
    const { knex } = academy.service.app.database;
    const settle = () => knex("credential_mails").where({ credential_uuid: uuid }).update({ state: "sent" });
    for (let count = 1; count <= 5; count++) {
      await settle();
      expect((await academy.credentials.resendEmail({ uuid })).resendCount).toBe(count);
    }
    await settle();
    expect(await refusal(academy.credentials.resendEmail({ uuid }))).toEqual([
      "ResourceExhausted",
      expect.stringContaining("5 times within 24 hours"),
    ]);
    await knex("credential_mails")
      .where({ credential_uuid: uuid })
      .update({ day_began_at: new Date(Date.now() - 25 * 3_600_000) });
    expect((await academy.credentials.resendEmail({ uuid })).resendCount).toBe(6);
  });

  it("is listed by its state, newest first, in pages", async () => {
    const [first, second] = [await available("list1"), await available("list2")];
    const { emails, nextPageToken } = await academy.credentials.listEmails({ state: WAITING, pageSize: 1 });
    expect(emails.map(({ credentialUuid }) => credentialUuid)).toEqual([second]);
    const rest = await academy.credentials.listEmails({
      state: WAITING,
      pageSize: 1,
      pageToken: nextPageToken,
    });
    expect(rest.emails.map(({ credentialUuid }) => credentialUuid)).toEqual([first]);
    const waiting = (await academy.credentials.listEmails({ state: SENT })).emails;
    expect(waiting.every(({ state }) => state === SENT)).toBe(true);
  });

  it("is listed with its kind, including notices of expiry and withdrawal", async () => {
    const uuid = await available("told");
    const { knex } = academy.service.app.database;
    await knex("credentials")
      .where({ uuid })
      .update({
        created_at: knex.raw("date_trunc('second', now() - interval '300 days')"),
        valid_until: knex.raw("now() + interval '13 days'"),
        notice_due_at: knex.fn.now(),
      });
    await queueExpiryNotices(academy.service.app.database, NEVER_ABORTS);
    const sink = await startWorker();
    await vi.waitFor(
      async () =>
        expect(await emailOf(uuid, EmailKind.EXPIRY)).toMatchObject({ state: SENT, daysBeforeExpiry: 14 }),
      { timeout: 30_000 },
    );
    await vi.waitFor(async () => expect((await emailOf(uuid, EmailKind.AVAILABLE))?.state).toBe(SENT), {
      timeout: 30_000,
    });
    await academy.credentials.invalidateCredential({ uuid, reason: "Issued in error." });
    await vi.waitFor(async () => expect((await emailOf(uuid, EmailKind.WITHDRAWAL))?.state).toBe(SENT), {
      timeout: 30_000,
    });
    const { emails } = await academy.credentials.listEmails({ credentialUuid: uuid });
    expect(emails.map(({ kind }) => kind)).toEqual([
      EmailKind.WITHDRAWAL,
      EmailKind.EXPIRY,
      EmailKind.AVAILABLE,
    ]);
    const ids = sink.received.map(({ raw }) => /^Message-ID: (.*)$/im.exec(raw.toString())?.[1]?.trim());
    expect(ids.filter((id) => id?.includes(uuid)).sort()).toEqual(
      ["", "-expires-14", "-withdrawn"].map((suffix) => `<${uuid}${suffix}@academy.test>`).sort(),
    );
  });

  it("is listed by its learner", async () => {
    const [own] = [await available("list3"), await available("list4")];
    const { emails } = await academy.credentials.listEmails({ username: "list3" });
    expect(emails.map(({ credentialUuid }) => credentialUuid)).toEqual([own]);
    expect((await academy.credentials.listEmails({ username: "list3", state: SENT })).emails).toEqual([]);
    expect((await academy.credentials.listEmails({ username: "nobody" })).emails).toEqual([]);
  });
});
