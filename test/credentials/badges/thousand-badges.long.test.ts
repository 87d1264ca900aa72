import { randomBytes } from "node:crypto";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { VerifiableCredentialFormat as Format } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { type Academy, COURSE, exam, openAcademy } from "../../support/academy.js";
import { enrolled } from "../../support/records.js";

const LEARNERS = 1_000;
/**
 * Number of concurrent calls. The pool has more connections, because calls that wait for a connection may be refused on
 * a busy machine.
 */
const AT_A_TIME = 8;

/** The learners' names are recognisable, and occur in no other text. */
const learners = Array.from({ length: LEARNERS }, (_, index) => {
  const unique = randomBytes(6).toString("hex");
  return { username: `user${unique}`, fullName: `Person ${index}`, email: `mail${unique}@example.org` };
});

let academy: Academy;
beforeAll(async () => {
  academy = await openAcademy({ signs: true, worker: true });
  await academy.report(
    ...learners.flatMap((learner) => [
      { case: "learner" as const, value: learner },
      enrolled(learner.username, COURSE),
      exam(learner.username, 9),
    ]),
  );
  const { configurationId, credentials } = academy;
  const { run } = await credentials.startIssuanceRun({ configurationId });
  const made = async () =>
    expect(await credentials.getIssuanceRun({ id: run?.id ?? "" })).toMatchObject({
      availableCount: LEARNERS,
    });
  await vi.waitFor(made, { timeout: 300_000, interval: 1_000 });
}, 320_000);
afterAll(() => academy?.service.stop());

/** Runs the work for all learners, several at a time. */
async function forEach(work: (learner: (typeof learners)[number]) => Promise<void>): Promise<void> {
  const rest = [...learners];
  const next = async () => {
    for (let learner = rest.pop(); learner; learner = rest.pop()) await work(learner);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, next));
}

async function credentialOf(username: string): Promise<string> {
  const { credentials } = await academy.credentials.listCredentials({ username });
  expect(credentials).toHaveLength(1);
  return credentials[0]?.uuid ?? "";
}

async function badgeOf(uuid: string, format: Format): Promise<string> {
  const { content } = await academy.credentials.getVerifiableCredential({ uuid, format });
  return Buffer.from(content).toString();
}

const uuids: string[] = [];

test(`none of ${LEARNERS} badges contains a username, an address or an internal id`, {
  timeout: 300_000,
}, async () => {
  await forEach(async ({ username, fullName, email }) => {
    const uuid = await credentialOf(username);
    uuids.push(uuid);
    const json = await badgeOf(uuid, Format.JSON);
    const [, payload = ""] = (await badgeOf(uuid, Format.JWT)).split(".");
    for (const text of [json, Buffer.from(payload, "base64url").toString()]) {
      expect(text).toContain(`"${fullName}"`);
      for (const secret of [username, email, uuid]) expect(text).not.toContain(secret);
    }
  });
});

test(`${LEARNERS} erased learners leave no badge`, { timeout: 300_000 }, async () => {
  await forEach(async ({ username }) => void (await academy.records.eraseLearner({ username })));
  expect(uuids).toHaveLength(LEARNERS);
  for (const uuid of uuids) {
    const refused = { code: Code.FailedPrecondition, rawMessage: expect.stringMatching(/erased/) };
    await expect(badgeOf(uuid, Format.JSON)).rejects.toMatchObject(refused);
  }
  const { rows } = await academy.service.app.database.knex.raw(
    "select credentials::text as row from credentials",
  );
  const left = rows.map(({ row }: { row: string }) => row).join("\n");
  for (const { username, email } of learners) {
    expect(left).not.toContain(username);
    expect(left).not.toContain(email);
  }
});
