import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { eraseLearner } from "#domain/credentials/erasure/erase-learner.js";
import { writeDueScores } from "#domain/lti/write-scores.js";
import { LtiService } from "#gen/learning_credentials/v1/lti_service_pb.js";
import { execute, queryRows } from "#infrastructure/db/query.js";
import { COMMAND_LINE } from "#infrastructure/identity/actors.js";
import { COURSE, exam, openAcademy } from "../support/academy.js";
import { given } from "../support/given.js";
import { enrolled } from "../support/records.js";
import { tokenOf } from "../support/service.js";
import { type Product, startFakePlatform } from "./fake-platform.js";
import { accept, connect, LTI_SETTINGS, launch, ltiOf } from "./lti-service.js";

const never = new AbortController().signal;
const log = pino({ level: "silent" });
const academy = given(
  () => openAcademy({ settings: LTI_SETTINGS }),
  ({ service }) => service.stop(),
);
const opened: { close(): Promise<void> }[] = [];
given(
  async () => ({ opened }),
  () => Promise.all(opened.map((platform) => platform.close())),
);

/** Connects a platform that has this test's course with these members. Returns functions that act in the course. */
async function connected(product: Product, members: readonly string[], hasColumns = true) {
  const { service, credentials, configurationId } = academy;
  const platform = await startFakePlatform({ product });
  opened.push(platform);
  const id = await connect(service, platform, { hasColumns });
  platform.setToolKeys(`${service.httpUrl}/lti/jwks`);
  platform.members.set(
    COURSE,
    members.map((user_id) => ({ user_id })),
  );
  const lti = await ltiOf(service);
  const context = { id: COURSE, title: "Course One" };
  const usernameOf = (sub: string) => `lti:${id}:${sub}`;
  return {
    platform,
    id,
    lti,
    usernameOf,
    launch: (sub: string, claims = {}) => launch(service, platform, { sub, context, claims }),
    async issue(sub: string) {
      await academy.report(exam(usernameOf(sub), 9));
      const { uuid } = await credentials.issueCredential({ configurationId, username: usernameOf(sub) });
      await academy.generate(uuid);
      return uuid;
    },
    /**
     * Waits until the events are sealed, and writes the scores that are due. The writing happens a second later for
     * platforms that compare whole seconds.
     */
    async write() {
      await expect
        .poll(
          async () =>
            (await queryRows(service.app.database.knex, "select from unsealed_credential_events")).length,
        )
        .toBe(0);
      if (product === "moodle") await new Promise((resolve) => setTimeout(resolve, 1001));
      await writeDueScores(lti, log, never);
    },
    /** Makes the failed scores due now. */
    again: () =>
      execute(service.app.database.knex, "update lti_scores set due_at = now() where problem <> ''"),
    scores: () =>
      (platform.columns.get(COURSE) ?? []).map(({ label, scores }) => ({
        label,
        ...Object.fromEntries([...scores].map(([sub, { score }]) => [sub, score])),
      })),
    async status() {
      const client = service.client(LtiService, await tokenOf({ username: "lms", service: "write" }));
      const { platforms } = await client.listLtiPlatforms({});
      return platforms.find((one) => one.id === id)?.columns;
    },
  };
}

describe("a gradebook column", () => {
  it.each<Product>(["moodle", "canvas"])(
    "of %s says who has a credential, and writes it once",
    async (product) => {
      const at = await connected(product, ["7", "8"]);
      await at.launch("7");
      await at.launch("8");
      await at.write();
      expect(at.platform.gradeRequests).toEqual([]); // no learner has a credential yet, so no column is created
      const uuid = await at.issue("7");
      await at.write();
      expect(at.scores()).toEqual([{ label: "Certificate", "7": 1 }]);
      expect(at.platform.gradeRequests).toEqual(["GET lineitems", "POST lineitems", "POST scores"]);
      await at.launch("7");
      await at.write();
      expect(at.platform.gradeRequests).toHaveLength(3);
      await academy.credentials.invalidateCredential({ uuid, reason: "Issued in error." });
      await at.write();
      expect(at.scores()).toEqual([{ label: "Certificate", "7": 0 }]);
      await at.issue("8");
      await at.write();
      expect(at.scores()).toEqual([{ label: "Certificate", "7": 0, "8": 1 }]);
      expect(await at.status()).toMatchObject({ written: 2, waiting: 0, problems: [] });
    },
  );

  it("has learners with a credential from before their first launch, and before columns were switched on", async () => {
    const at = await connected("canvas", ["7", "9"], false);
    // This learner comes from a registrar's list, and has never launched.
    const username = at.usernameOf("9");
    await execute(
      academy.service.app.database.knex,
      `insert into learners (username, full_name, email, search_words, is_active, locale, is_deleted, observed_at, owner)
       values (?, 'Ana', '', '', true, '', false, 'epoch', '')`,
      [username],
    );
    await academy.report(enrolled(username, COURSE));
    await at.issue("9");
    await at.launch("7");
    await at.issue("7");
    await at.write();
    expect(at.platform.gradeRequests).toEqual([]);
    await accept(academy.service, at.id, { hasColumns: true });
    await at.write();
    expect(at.scores()).toEqual([{ label: "Certificate", "7": 1 }]);
    await at.launch("9");
    await at.write();
    expect(at.scores()).toEqual([{ label: "Certificate", "7": 1, "9": 1 }]);
  });

  it("is found again by its id, and created again if it was deleted", async () => {
    const at = await connected("canvas", ["7", "8"]);
    await at.launch("7");
    await at.launch("8");
    await at.issue("7");
    await at.write();
    await execute(academy.service.app.database.knex, "delete from lti_columns"); // as if the column had not been stored
    await at.issue("8");
    await at.write();
    expect(at.scores()).toEqual([{ label: "Certificate", "7": 1, "8": 1 }]);
    at.platform.columns.set(COURSE, []);
    await at.launch("7");
    await execute(academy.service.app.database.knex, "update lti_scores set written = null, due_at = now()");
    await at.write();
    expect((await at.status())?.problems).toContainEqual(
      expect.objectContaining({ problem: expect.stringMatching(/status 404/) }),
    );
    await at.again();
    await at.write();
    expect(at.scores()).toEqual([{ label: "Certificate", "7": 1, "8": 1 }]);
  });

  it("is not changed by two simultaneous writers, nor without the platform's permission", async () => {
    const at = await connected("canvas", ["7", "8", "9"]);
    for (const sub of ["7", "8", "9"]) {
      await at.launch(sub, {
        "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint": {
          scope: ["https://purl.imsglobal.org/spec/lti-ags/scope/result.readonly"],
          lineitems: `${at.platform.url}/lineitems/${encodeURIComponent(COURSE)}`,
        },
      });
      await at.issue(sub);
    }
    await at.write();
    expect(at.platform.gradeRequests).toEqual([]);
    await at.launch("7"); // the requests are permitted from now on
    await Promise.all([at.write(), at.write(), at.write()]);
    expect(at.scores()).toContainEqual({ label: "Certificate", "7": 1, "8": 1, "9": 1 });
    expect(at.platform.gradeRequests.filter((one) => one === "POST scores")).toHaveLength(3);
  });

  it("that can't be written is named, tried again later, and then given up", async () => {
    const at = await connected("canvas", ["7"]);
    await at.launch("7");
    await at.issue("7");
    at.platform.gradeAnswers.set(COURSE, 403);
    await at.write();
    const refused = { learningContextKey: COURSE, count: 1 };
    expect(await at.status()).toMatchObject({ written: 0, waiting: 1, problems: [refused] });
    expect((await at.status())?.problems[0]?.problem).toMatch(/refuses this tool \(status 403\): allow it/);
    const requests = at.platform.gradeRequests.length;
    await at.write();
    expect(at.platform.gradeRequests).toHaveLength(requests); // the service does not retry before the retry is due
    for (let turn = 0; turn < 11; turn++) {
      await at.again();
      await at.write();
    }
    expect(await at.status()).toMatchObject({ waiting: 0, problems: [refused] });
    at.platform.gradeAnswers.delete(COURSE);
    await at.again();
    await at.write();
    expect(await at.status()).toMatchObject({ written: 1, waiting: 0, problems: [] });
    expect(at.scores()).toEqual([{ label: "Certificate", "7": 1 }]);
  });

  it("keeps nothing of an erased learner", async () => {
    const at = await connected("canvas", ["7"]);
    await at.launch("7");
    await at.issue("7");
    const erased = { username: at.usernameOf("7"), dryRun: false, erasedBy: COMMAND_LINE };
    await eraseLearner(academy.service.app, erased, never);
    await at.write();
    expect(at.platform.gradeRequests).toEqual([]);
    const stored = await queryRows(
      academy.service.app.database.knex,
      "select from lti_scores where registration_id = ?",
      [at.id],
    );
    expect(stored).toEqual([]);
  });
});
