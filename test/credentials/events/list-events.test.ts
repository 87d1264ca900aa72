import { timestampDate } from "@bufbuild/protobuf/wkt";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { CredentialEventType } from "#gen/learning_credentials/v1/credential_event_pb.js";
import { type Academy, givenAcademy } from "../../support/academy.js";
import { codeAndMessage as refusal } from "../../support/refusal.js";

const REASON = "Printed with the wrong seal.";
const { ISSUED, AVAILABLE, INVALIDATED, REISSUED, LINKS_REVOKED } = CredentialEventType;

const academy = givenAcademy();
let uuid: string;

beforeAll(async () => {
  const { configurationId, credentials, platform } = academy;
  await academy.enrol("ana", "ben");
  uuid = (await credentials.issueCredential({ configurationId, username: "ana" })).uuid;
  await academy.generate(uuid);
  await credentials.revokeDownloadLinks({ uuid });
  await platform.reissueCredential({ uuid, reason: REASON });
  await credentials.issueCredential({ configurationId, username: "ben" });
  await vi.waitFor(async () => expect(await list({})).toHaveLength(7), { timeout: 20_000 });
});

type Request = Parameters<Academy["credentials"]["listCredentialEvents"]>[0];
const list = async (request: Request) => (await academy.credentials.listCredentialEvents(request)).events;
const types = async (request: Request) => (await list(request)).map(({ type }) => type);

describe("the list of events", () => {
  it("of a credential is its history, newest first", async () => {
    expect(await types({ credentialUuid: uuid.toUpperCase() })).toEqual([
      REISSUED,
      INVALIDATED,
      LINKS_REVOKED,
      AVAILABLE,
      ISSUED,
    ]);
  });

  it("is searched by actor, by kind, and by both", async () => {
    expect((await types({ actor: "lms" })).sort()).toEqual([ISSUED, INVALIDATED, REISSUED].sort());
    expect(await types({ types: [LINKS_REVOKED, AVAILABLE] })).toEqual([LINKS_REVOKED, AVAILABLE]);
    expect(await types({ types: [LINKS_REVOKED], actor: "lms" })).toEqual([]);
    expect(await types({ actor: "nobody" })).toEqual([]);
  });

  it("is searched by time, including its start and excluding its end", async () => {
    const all = await list({});
    const revoked = all.find(({ type }) => type === LINKS_REVOKED)?.time;
    if (!revoked) throw new Error("the event has no time");
    const at = timestampDate(revoked).getTime();
    const times = (events: typeof all) =>
      events.map(({ time }) => (time ? timestampDate(time).getTime() : Number.NaN));
    expect(times(await list({ startTime: revoked }))).toEqual(times(all).filter((time) => time >= at));
    expect(times(await list({ endTime: revoked }))).toEqual(times(all).filter((time) => time < at));
  });

  it("is read in pages that show every event once", async () => {
    const all = await list({});
    const positions: bigint[] = [];
    let pageToken = "";
    do {
      const page = await academy.credentials.listCredentialEvents({ pageSize: 2, pageToken });
      expect(page.events.length).toBeGreaterThan(0);
      positions.push(...page.events.map(({ position }) => position));
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    expect(positions).toEqual([7n, 6n, 5n, 4n, 3n, 2n, 1n]);
    expect(all.map(({ position }) => position)).toEqual(positions);
  });

  it("refuses a token of another search, an unknown kind, and an empty time", async () => {
    const { credentials } = academy;
    const { nextPageToken } = await credentials.listCredentialEvents({ pageSize: 1, actor: "lms" });
    for (const [request, message] of [
      [{ pageToken: nextPageToken }, "page_token is not a token of this list"],
      [
        { types: [99] },
        "types is 99; it must be one of CREDENTIAL_EVENT_TYPE_ISSUED, CREDENTIAL_EVENT_TYPE_",
      ],
      [
        { startTime: { seconds: 2n }, endTime: { seconds: 2n } },
        "start_time is 1970-01-01T00:00:02.000Z; it must be earlier",
      ],
    ] as const) {
      expect(await refusal(credentials.listCredentialEvents(request as Request))).toEqual([
        "InvalidArgument",
        expect.stringContaining(message),
      ]);
    }
  });

  it("finds each search by an index", async () => {
    const { knex } = academy.service.app.database;
    const plan = (where: string) =>
      knex.transaction(async (transaction) => {
        await transaction.raw("set local enable_seqscan = off; set local enable_sort = off");
        const { rows } = await transaction.raw(
          `explain select from credential_events where ${where} order by position desc limit 101`,
        );
        return rows.map((row: object) => Object.values(row)[0]).join("\n");
      });
    await knex.raw("analyze credential_events");
    expect(await plan(`credential_uuid = '${uuid}'`)).toContain("credential_events_from_1_by_credential");
    expect(await plan("actor_id = 1 and type not in ('available', 'emailed')")).toContain(
      "credential_events_from_1_by_actor",
    );
    expect(await plan("type = 'invalidated'")).toContain("credential_events_from_1_by_rare_type");
  });
});
