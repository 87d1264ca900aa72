import PostalMime from "postal-mime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startSmtpSink } from "../../email/smtp-sink.js";
import { newcomer, openWorkforce, until, type Workforce } from "./workforce.js";

let workforce: Workforce;
beforeAll(async () => {
  workforce = await openWorkforce();
  await workforce.academy.configurations.updateCredentialConfiguration({
    credentialConfiguration: { id: workforce.academy.configurationId, customOptions: { validity: "P1Y" } },
  });
}, 240_000);
afterAll(() => workforce?.dismiss());

/** Moves the issue times of all credentials into the past, and their expiry this far into the future. */
const move = (expires: string) =>
  workforce.rows(
    `update credentials set created_at = date_trunc('second', now() - interval '300 days'),
       valid_until = now() + cast(? as interval), notice_due_at = now() where renewed_at is null returning uuid`,
    [expires],
  );

describe("in processes of the built program", () => {
  test("two of them renew a credential once, whatever 200 simultaneous callers request", {
    timeout: 240_000,
  }, async () => {
    const servers = await Promise.all([workforce.serve(), workforce.serve()]);
    const username = newcomer();
    await workforce.enrol(username);
    const old = await workforce.issue(username);
    await workforce.academy.generate(await workforce.academy.idOf(old.uuid));
    await move("-1 hour");
    const { configurationId } = workforce.academy;
    const answers = await Promise.allSettled(
      Array.from({ length: 200 }, (_, index) =>
        servers[index % 2]?.credentials.issueCredential({ configurationId, username }),
      ),
    );
    const uuids = answers.flatMap(({ status, ...answer }) =>
      status === "fulfilled" && "value" in answer ? [answer.value?.uuid] : [],
    );
    expect(uuids.length).toBeGreaterThan(0);
    expect(new Set(uuids).size).toBe(1);
    expect(
      await workforce.rows("select uuid, replaces from credentials where username = ? order by id", [
        username,
      ]),
    ).toEqual([
      { uuid: old.uuid, replaces: null },
      { uuid: uuids[0], replaces: old.uuid },
    ]);
    expect((await workforce.events(old.uuid)).filter((type) => type === "renewed")).toHaveLength(1);
    await Promise.all(servers.map((server) => server.kill()));
  });

  test("notices are sent once each, however often workers are killed between two of them", {
    timeout: 240_000,
  }, async () => {
    const sink = await startSmtpSink("none");
    const email = { SMTP_URL: `smtp://127.0.0.1:${sink.port}`, MAIL_FROM: "no-reply@academy.test" };
    const learners = Array.from({ length: 40 }, newcomer);
    await workforce.enrol(...learners);
    const uuids: string[] = [];
    for (const username of learners) {
      const { uuid } = await workforce.issue(username);
      await workforce.academy.generate(await workforce.academy.idOf(uuid));
      uuids.push(uuid);
    }
    await workforce.rows("delete from jobs"); // the emails about new credentials
    await move("13 days");
    const kills = 3;
    for (let killed = 0; killed < kills; killed++) {
      const before = sink.received.length;
      const worker = await workforce.startWorker(email);
      await until(() => expect(sink.received.length).toBeGreaterThan(before));
      await worker.kill();
      await workforce.endLeases();
    }
    const last = await workforce.startWorker(email);
    await until(async () => {
      const [{ count } = { count: 0 }] = await workforce.rows<{ count: number }>(
        "select count(*)::int as count from credential_mails where kind = 'expiry' and sent_at is not null",
      );
      expect(count).toBeGreaterThanOrEqual(learners.length);
    }, 120_000);
    await workforce.settled();
    const parsed = await Promise.all(sink.received.map(({ raw }) => PostalMime.parse(raw)));
    const ids = parsed.map(({ messageId = "" }) => messageId);
    const about = (uuid: string) => new Set(ids.filter((id) => id.startsWith(`<${uuid}-expires-`)));
    for (const uuid of uuids) expect([...about(uuid)]).toEqual([expect.stringMatching(/-expires-14@/)]);
    // If a worker dies before it records that an email was sent, the email is sent again, with the same Message-ID.
    expect(ids.length).toBeLessThanOrEqual(learners.length + kills * JOBS_AT_A_TIME + 1);
    await last.kill();
  });
});

const JOBS_AT_A_TIME = 32;
