import type { MessageInitShape } from "@bufbuild/protobuf";
import { beforeAll, describe, expect, it } from "vitest";
import { shortCodeOf } from "#domain/credentials/short-code.js";
import { CredentialEmailState } from "#gen/learning_credentials/v1/credential_pb.js";
import {
  type CredentialSearchFilterSchema,
  CredentialSearchStatus,
} from "#gen/learning_credentials/v1/credential_search_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { offerCredential } from "../../configurations/offer-credential.js";
import { COURSE, givenAcademy } from "../../support/academy.js";
import { boundedToken, startTestService, tokenOf } from "../../support/service.js";

const PATH_ORG_COURSE = "course-v1:Polytechnic+X1+2026";

const academy = givenAcademy();
/** Ids of the issued credentials, by username. */
const issued = new Map<string, { uuid: string; verifyUuid: string }>();
let elsewhere: { configurationId: number; credentialTypeId: number };

async function issue(username: string, configurationId = academy.configurationId) {
  const { uuid, verifyUuid } = await academy.issue(username, { configurationId, skipEligibilityCheck: true });
  issued.set(username, { uuid, verifyUuid });
}

async function search(
  query: string,
  filter: MessageInitShape<typeof CredentialSearchFilterSchema> = {},
): Promise<string[]> {
  const { credentials } = await academy.credentials.searchCredentials({ query, filter });
  return credentials.map(({ username }) => username);
}

const learner = (username: string, fullName: string, more: object = {}) =>
  ({ case: "learner", value: { username, fullName, ...more } }) as const;

beforeAll(async () => {
  await academy.report(
    learner("ana_k", "Ana Kovač", { email: "Ana.Kovac@example.org", learnerId: "UNI-00417" }),
    learner("anamaria", "Ana María Núñez", { email: "am_n@example.org" }),
    learner("taro", "山田太郎"),
    learner("obrien@example.com", "Sinéad O'Brien"),
    { case: "course", value: { courseKey: PATH_ORG_COURSE, displayName: "Elsewhere" } },
  );
  const configuration = await offerCredential(
    academy.configurations,
    PATH_ORG_COURSE,
    "Diploma",
    "retrieve_subsection_grades",
    { required_grades: { Total: 0.8 } },
  );
  elsewhere = { configurationId: configuration.id, credentialTypeId: configuration.credentialTypeId };
  for (const username of ["ana_k", "anamaria", "taro"]) await issue(username);
  await issue("obrien@example.com", configuration.id);
});

describe("one field takes", () => {
  it.each([
    ["the beginning of a surname, in any case and without accents", "KOV", ["ana_k"]],
    ["words in any order", "nunez an", ["anamaria"]],
    ["words that several have, the latest first", "ana", ["anamaria", "ana_k"]],
    ["a given name in a script without spaces", "太郎", ["taro"]],
    ["a name without its apostrophe", "obri", ["obrien@example.com"]],
    ["a username", "ana_k", ["ana_k"]],
    ["a username that looks like an address", "obrien@example.com", ["obrien@example.com"]],
    ["an address, in any case", "ana.kovac@EXAMPLE.org", ["ana_k"]],
    ["an address as mail programs copy it", "Ana Kovač <Ana.Kovac@example.org>", ["ana_k"]],
    ["the beginning of an address, whose signs stand for themselves", "am_n@", ["anamaria"]],
    ["the learner's id at the institution", "UNI-00417", ["ana_k"]],
    ["a part of a word, where nothing begins so", "OVAČ", ["ana_k"]],
    ["several parts of words, in any order", "ovac ana", ["ana_k"]],
    ["nothing at all", "  ", ["obrien@example.com", "taro", "anamaria", "ana_k"]],
  ])("%s: %j", async (_, query, usernames) => {
    expect(await search(query)).toEqual(usernames);
  });

  it.each([
    ["a part that is too short", "ovac na"],
    ["parts that nobody has together", "ovac amada"],
    ["a word that another learner has", "ana yamada"],
    ["an address with a wild card", "%@"],
    ["only signs", "?!"],
    ["a UUID of nothing", "00000000-0000-4000-8000-000000000000"],
  ])("finds nothing for %s: %j", async (_, query) => {
    expect(await search(query)).toEqual([]);
  });

  it("found texts are counted by the words inside them", async () => {
    const { counts } = await academy.credentials.countCredentials({ query: "ovac" });
    expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(1);
    expect(await search("ovac", { statuses: [CredentialSearchStatus.INVALIDATED] })).toEqual([]);
  });

  it("either UUID, the first digits of one, a verification address, and a short one", async () => {
    const { uuid, verifyUuid } = issued.get("taro") as { uuid: string; verifyUuid: string };
    const code = shortCodeOf(verifyUuid);
    for (const query of [
      uuid,
      uuid.slice(0, 20),
      verifyUuid.toUpperCase(),
      verifyUuid.slice(0, 13).toUpperCase(),
      ` https://credentials.example.org/verify/${verifyUuid}/?lang=uk `,
      `credentials.example.org/v/${code}`,
      code.toUpperCase(),
    ])
      expect(await search(query)).toEqual(["taro"]);
  });
});

describe("a filter", () => {
  it("is by learner, context, configuration and type", async () => {
    expect(await search("", { username: "taro" })).toEqual(["taro"]);
    expect(await search("", { learningContextKey: PATH_ORG_COURSE })).toEqual(["obrien@example.com"]);
    expect(await search("ana", { learningContextKey: PATH_ORG_COURSE })).toEqual([]);
    expect(await search("", { configurationId: elsewhere.configurationId })).toEqual(["obrien@example.com"]);
    expect(await search("sin", { credentialTypeId: elsewhere.credentialTypeId })).toEqual([
      "obrien@example.com",
    ]);
  });

  it("is by actor, run and time", async () => {
    expect(await search("ana", { issuedBy: "registrar" })).toEqual(["anamaria", "ana_k"]);
    expect(await search("ana", { issuedBy: "nobody" })).toEqual([]);
    await academy.enrol("runner");
    const { run } = await academy.credentials.startIssuanceRun({
      configurationId: academy.configurationId,
    });
    expect(await search("", { issuanceRunId: run?.id ?? "" })).toEqual(["runner"]);
    const { credentials } = await academy.credentials.searchCredentials({ query: "runner" });
    expect(credentials).toMatchObject([{ issuedBy: "registrar", issuanceRunId: run?.id }]);
    const [{ createTime: created } = {}] = credentials;
    expect(await search("", { createStartTime: { seconds: 4_000_000_000n } })).toEqual([]);
    expect(await search("runner", { createStartTime: created })).toEqual(["runner"]);
    expect(await search("runner", { createEndTime: created })).toEqual([]);
  });

  it("is by status, which takes expiry into account, and the counts use the same statuses", async () => {
    await academy.enrol("lapsed", "lasting", "failing", "withdrawn");
    for (const username of ["lapsed", "lasting", "failing", "withdrawn"]) {
      await issue(username);
    }
    const { knex } = academy.service.app.database;
    const file = { file_key: "key", file_sha256: Buffer.alloc(32), file_size: 1 };
    for (const [username, validUntil] of [
      ["lapsed", "2020-01-01"],
      ["lasting", "2999-01-01"],
      ["withdrawn", "2999-01-01"],
    ]) {
      const changes = { status: "available", ...file, valid_until: new Date(validUntil as string) };
      await knex("credentials").where({ username }).update(changes);
    }
    await academy.fail(issued.get("failing")?.uuid ?? "");
    await academy.invalidate(issued.get("withdrawn")?.uuid ?? "");
    const { EXPIRED, VALID, ERROR, INVALIDATED, GENERATING } = CredentialSearchStatus;
    expect(await search("", { statuses: [EXPIRED] })).toEqual(["lapsed"]);
    expect(await search("", { statuses: [VALID] })).toEqual(["lasting"]);
    expect(await search("", { statuses: [ERROR, INVALIDATED] })).toEqual(["withdrawn", "failing"]);
    expect(await search("learner la", { statuses: [VALID, EXPIRED] })).toEqual(["lasting", "lapsed"]);
    expect(await search("", { expireEndTime: { seconds: 4_000_000_000n } })).toEqual(["lapsed"]);
    expect(await search("", { expireStartTime: { seconds: 4_000_000_000n } })).toEqual([
      "withdrawn",
      "lasting",
    ]);

    const { counts } = await academy.credentials.countCredentials({ query: "learner" });
    expect(counts.map(({ status, count, isAtLeast }) => [status, count, isAtLeast])).toEqual([
      [GENERATING, 1, false],
      [VALID, 1, false],
      [EXPIRED, 1, false],
      [ERROR, 1, false],
      [INVALIDATED, 1, false],
    ]);
    const some = await academy.credentials.countCredentials({ filter: { statuses: [EXPIRED] } });
    expect(some.counts).toMatchObject([{ status: EXPIRED, count: 1 }]);
  });

  it("reads page after page, each credential once", async () => {
    const { credentials: all } = await academy.credentials.searchCredentials({});
    const paged: string[] = [];
    for (let pageToken = ""; ; ) {
      const page = await academy.credentials.searchCredentials({ pageSize: 2, pageToken });
      paged.push(...page.credentials.map(({ uuid }) => uuid));
      pageToken = page.nextPageToken;
      if (pageToken === "") break;
    }
    expect(paged).toEqual(all.map(({ uuid }) => uuid));
  });
});

describe("staff limited to organisations", () => {
  it("find and count only their own", async () => {
    const service = await startTestService({
      beside: academy.service,
      settings: { AUTH_JWT_ORGANISATIONS_CLAIM: "organisations" },
    });
    const client = service.client(CredentialService, await boundedToken(service, ["Polytechnic", "Uni+C1"]));
    const { credentials } = await client.searchCredentials({});
    expect(credentials.map(({ username }) => username)).toEqual(["obrien@example.com"]);
    expect((await client.searchCredentials({ query: "ana" })).credentials).toEqual([]);
    const { uuid } = issued.get("ana_k") as { uuid: string };
    expect((await client.searchCredentials({ query: uuid })).credentials).toEqual([]);
    expect((await client.searchCredentials({ filter: { learningContextKey: COURSE } })).credentials).toEqual(
      [],
    );
    const { counts } = await client.countCredentials({});
    expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(1);
    await service.stop();
  });
});

describe("search words follow changes of the learner", () => {
  it("a corrected name finds the old credential, and so does the printed one", async () => {
    await academy.report(learner("marry", "Merry Smiht"));
    await issue("marry");
    await academy.report(learner("marry", "Mary Smith"));
    expect(await search("smith")).toEqual(["marry"]);
    expect(await search("smiht")).toEqual(["marry"]);
  });

  it("an imported credential is found by the name on it", async () => {
    const imported = academy.service.client(
      CredentialService,
      await tokenOf({
        username: "lms",
        service: "write",
        issuer: academy.service.app.config.auth.issuer,
        audience: academy.service.app.config.auth.audience,
      }),
    );
    async function* one() {
      yield {
        credentials: [
          {
            verifyUuid: "0e1d2c3b-4a59-4687-9000-000000000001",
            username: "foreign",
            userFullName: "Grace Höpper",
            learningContextKey: COURSE,
            learningContextName: "Course One",
            credentialType: "Certificate",
            createTime: { seconds: 1_500_000_000n },
            status: 4,
            invalidationReason: "It was withdrawn there.",
            invalidateTime: { seconds: 1_500_000_001n },
          },
        ],
      };
    }
    await imported.importCredentials(one());
    expect(await search("hopper")).toEqual(["foreign"]);
  });

  it("an erased learner is not found by any name, address or username", async () => {
    await academy.report(learner("gone", "Zebulon Pike", { email: "pike@example.org" }));
    await issue("gone");
    expect(await search("zebulon")).toEqual(["gone"]);
    await academy.records.eraseLearner({ username: "gone" });
    for (const query of ["zebulon", "pike", "gone", "pike@example.org"])
      expect(await search(query)).toEqual([]);
    const { rows } = await academy.service.app.database.knex.raw(
      "select count(*)::int as count from credentials where search_words::text like '%zebulon%'",
    );
    expect(rows).toEqual([{ count: 0 }]);
  });
});

describe("the email", () => {
  it("is pending, was sent or was refused; there is none without an address; learners don't see it", async () => {
    const { knex } = academy.service.app.database;
    const { WAITING, SENT, REFUSED } = CredentialEmailState;
    const emailOf = async (username: string) => {
      const { credentials } = await academy.credentials.searchCredentials({ filter: { username } });
      const { email } = await academy.credentials.getCredential({ uuid: credentials[0]?.uuid ?? "" });
      expect(credentials[0]?.email).toEqual(email);
      return email;
    };
    const available = { status: "available", file_key: "key", file_sha256: Buffer.alloc(32), file_size: 1 };
    expect(await emailOf("ana_k")).toBeUndefined();
    await knex("credentials").whereIn("username", ["ana_k", "anamaria", "taro"]).update(available);
    const settle = (username: string, state: string) =>
      knex.raw(
        `insert into credential_mails (credential_uuid, kind, state, changed_at)
         select uuid, 'available', :state, '2026-01-02T03:04:05Z' from credentials where username = :username
         on conflict (credential_uuid, kind, days) do update set state = :state`,
        { username, state },
      );
    await settle("taro", "no_address");
    expect(await emailOf("taro")).toBeUndefined();
    await settle("ana_k", "waiting");
    expect(await emailOf("ana_k")).toMatchObject({ state: WAITING });
    await settle("ana_k", "sent");
    expect(await emailOf("ana_k")).toMatchObject({ state: SENT, time: { seconds: 1_767_323_045n } });
    await settle("anamaria", "refused");
    expect(await emailOf("anamaria")).toMatchObject({ state: REFUSED, time: { seconds: 1_767_323_045n } });

    const { issuer, audience } = academy.service.app.config.auth;
    const own = academy.service.client(
      CredentialService,
      await tokenOf({ username: "ana_k", issuer, audience }),
    );
    const { credentials } = await own.listMyCredentials({});
    expect(credentials).toMatchObject([{ username: "ana_k", issuedBy: "", issuanceRunId: "" }]);
    expect(credentials[0]?.email ?? credentials[0]?.emailTime).toBeUndefined();
  });
});
