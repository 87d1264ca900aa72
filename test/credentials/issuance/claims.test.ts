import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, describe, expect, test } from "vitest";
import { ErrorInfoSchema } from "#gen/google/rpc/error_details_pb.js";
import { ClaimMode } from "#gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { EligibilityService, OfferIssuance } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { SkipReason } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import { offerCredential } from "../../configurations/offer-credential.js";
import { bearer, cookies, learner, reader, staff, token, writer } from "../../contract/callers.js";
import { PREFIX } from "../../contract/exchange.js";
import { send } from "../../contract/raw-request.js";
import { COURSE, exam, givenAcademy } from "../../support/academy.js";
import { given } from "../../support/given.js";
import { startTestService, tokenOf } from "../../support/service.js";

const LISTED = "https://apps.lms.example.org";
const academy = givenAcademy({
  settings: { CORS_ALLOWED_ORIGINS: LISTED, AUTH_JWT_ROLES_CLAIM: "roles" },
});

/** A service on the same data, where staff are restricted to the organisations in their tokens. */
const bounded = given(
  () =>
    startTestService({
      beside: academy.service,
      settings: { AUTH_JWT_ORGANISATIONS_CLAIM: "organisations" },
    }),
  ({ stop }) => stop(),
);

/** Returns a token of a member of staff with these claims, for example a role or organisations. */
const staffToken = (claims: object) => token({ preferred_username: "vera", administrator: true, ...claims });

type Headers = Readonly<Record<string, string>>;

async function post(
  as: Headers,
  query = "",
  { type = "", context = COURSE, body = "", at = academy.service } = {},
) {
  const typeId = type || String((await configuration()).credentialTypeId);
  const target = `${PREFIX}eligibility/${context}/${typeId}/${query}`;
  const answer = await send(at.httpUrl, { method: "POST", target, headers: as, body });
  return { ...answer, body: answer.body === "" ? undefined : JSON.parse(answer.body) };
}

function configuration() {
  return academy.configurations.getCredentialConfiguration({ id: academy.configurationId });
}

function setClaim(claim: ClaimMode) {
  return academy.configurations.updateCredentialConfiguration({
    credentialConfiguration: { id: academy.configurationId, claim },
    updateMask: { paths: ["claim"] },
  });
}

async function credentialsOf(username: string) {
  return (await academy.credentials.listCredentials({ username })).credentials;
}

async function reasonOf(call: Promise<unknown>) {
  const error = ConnectError.from(
    await call.then(
      () => expect.fail("it was allowed"),
      (refusal) => refusal,
    ),
  );
  const [info] = error.findDetails(ErrorInfoSchema);
  return [Code[error.code], info?.reason, info?.metadata] as const;
}

afterEach(() => setClaim(ClaimMode.ALLOWED));

describe("over REST", () => {
  test("an eligible learner gets it with 201, then 409 with the existing one, and its email names nobody else", async () => {
    await setClaim(ClaimMode.ALLOWED);
    await academy.enrol("ana");
    const made = await post(learner("ana"));
    const [credential] = await credentialsOf("ana");
    const shown = {
      uuid: credential?.uuid,
      verify_uuid: credential?.verifyUuid,
      status: "generating",
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    };
    expect(made).toMatchObject({ status: 201, headers: { "cache-control": "no-store" } });
    expect(made.body).toEqual({
      detail: "Credential generation started.",
      credential: { ...shown, download_url: null },
    });
    expect(credential).toMatchObject({ issuedBy: "claim", status: CredentialStatus.GENERATING });
    const again = await post(learner("ana"));
    expect([again.status, again.body]).toEqual([
      409,
      { detail: "User already has a credential of this type.", existing_credential: shown },
    ]);
    expect(await credentialsOf("ana")).toHaveLength(1);
  });

  test("missing results are named with 400, and nothing is stored", async () => {
    await academy.enrol("ben");
    await academy.report(exam("ben", 3));
    expect(await post(learner("ben"))).toMatchObject({
      status: 400,
      body: {
        detail: expect.stringMatching(/^Learner ben is not eligible for .* Missing: exam: 30 of 65 %/),
      },
    });
    expect(await credentialsOf("ben")).toEqual([]);
  });

  test.each([
    ["no token", {}, {}, 403, "Authentication credentials were not provided."],
    ["a malformed key", learner("ana"), { context: "x" }, 400, "Invalid learning context key"],
    ["a course of others", learner("ana"), { context: "course-v1:A+B+C" }, 404, "Course not found"],
    ["an unknown type", learner("ana"), { type: "99" }, 404, "Credential type 99 is not configured"],
    ["a type that is no number", learner("ana"), { type: "x" }, 400, 'credential_type_id: "x" is not'],
    ["type 0", learner("ana"), { type: "0" }, 400, "credential_type_id is 0"],
    ["a service that only reads", reader, {}, 403, "learning_credentials:write"],
    ["a body", learner("ana"), { body: '{"username":"ben"}' }, 400, "The body must be empty"],
    ["a long body", learner("ana"), { body: "x".repeat(2000) }, 413, "more than 1024 bytes"],
  ])("%s is refused", async (_, as, where, status, says) => {
    expect(await post(as, "", where)).toMatchObject({
      status,
      body: { detail: expect.stringContaining(says) },
    });
  });

  test("an empty object as JSON is treated as no body; as a form it is refused", async () => {
    await academy.enrol("ida");
    const as = (type: string) => ({ ...learner("ida"), "content-type": type });
    expect(await post(as("text/plain"), "", { body: "{}" })).toMatchObject({ status: 400 });
    expect(await post(as("application/json"), "", { body: "{}" })).toMatchObject({ status: 201 });
  });

  test("staff with the role registrar, and services, claim for others by ?username=; nobody else can", async () => {
    await academy.enrol("cem", "dov");
    expect(await post(learner("ana"), "?username=cem")).toMatchObject({
      status: 403,
      body: { detail: "Only staff can request data about other learners." },
    });
    const viewer = bearer(staffToken({ roles: ["viewer"] }));
    expect(await post(viewer, "?username=cem")).toMatchObject({ status: 403 });
    expect(await post(staff, "?username=nobody")).toMatchObject({ status: 404 });
    expect(await post(staff, "?username=cem")).toMatchObject({ status: 201 });
    expect(await post(writer, "?username=dov")).toMatchObject({ status: 201 });
    expect((await credentialsOf("cem"))[0]?.issuedBy).toBe("registrar");
    expect((await credentialsOf("dov"))[0]?.issuedBy).toBe("lms");
  });

  test("staff limited to another organisation find no such learner, and can't claim for one", async () => {
    await academy.enrol("fay");
    const bound = bearer(staffToken({ organisations: ["Other"] }));
    expect(await post(bound, "?username=fay", { at: bounded })).toMatchObject({ status: 404 });
    expect(await credentialsOf("fay")).toEqual([]);
  });

  test("if claims are not allowed, which is the default, nobody can claim", async () => {
    await setClaim(ClaimMode.NEVER);
    await academy.enrol("gil");
    const refused = { status: 403, body: { detail: expect.stringContaining("does not allow it") } };
    expect(await post(learner("gil"))).toMatchObject(refused);
    expect(await post(staff, "?username=gil")).toMatchObject(refused);
    expect(await post(learner("ana"))).toMatchObject({ status: 409 });
    expect(await credentialsOf("gil")).toEqual([]);
  });

  test("a withdrawn credential can't be claimed again; a reissued one is the existing one", async () => {
    await academy.enrol("hal");
    await post(learner("hal"));
    const [first] = await credentialsOf("hal");
    await academy.generate(first?.uuid ?? "");
    await academy.invalidate(first?.uuid ?? "");
    expect(await post(learner("hal"))).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/whose credential was withdrawn/) },
    });
    expect(await post(staff, "?username=hal")).toMatchObject({ status: 400 });
    expect(await credentialsOf("hal")).toHaveLength(1);
    await academy.issue("hal");
    expect(await post(learner("hal"))).toMatchObject({ status: 409 });
  });

  test("an erased learner gets nothing, and their token reveals nothing", async () => {
    await academy.enrol("ivo");
    await academy.records.eraseLearner({ username: "ivo" });
    expect(await post(learner("ivo"))).toMatchObject({
      status: 404,
      body: { detail: expect.stringMatching(/^Course not/) },
    });
    expect(await post(staff, "?username=ivo")).toMatchObject({ status: 404 });
  });

  test("a failed credential is generated again", async () => {
    await academy.enrol("jo");
    await post(learner("jo"));
    const [failed] = await credentialsOf("jo");
    await academy.fail(failed?.uuid ?? "");
    expect(await post(learner("jo"))).toMatchObject({
      status: 201,
      body: { credential: { uuid: failed?.uuid } },
    });
    expect(await credentialsOf("jo")).toHaveLength(1);
  });
});

describe("with the platform's cookies", () => {
  const withCookies = (username: string) => cookies(token({ preferred_username: username }));
  const script = { "use-jwt-cookie": "true" };

  test.each([
    ["of a foreign page", { origin: "https://evil.example.org", ...script }],
    ["of a page without an origin", script],
    ["of a sandboxed page", { origin: "null", ...script }],
    ["of a neighbouring origin", { origin: `${LISTED}.evil.org`, ...script }],
    ["of a form on a listed page", { origin: LISTED, "content-type": "application/x-www-form-urlencoded" }],
  ])("a request %s is refused", async (_, headers) => {
    await academy.enrol("kim");
    expect(await post({ ...withCookies("kim"), ...headers })).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining("CORS_ALLOWED_ORIGINS") },
    });
    expect(await credentialsOf("kim")).toEqual([]);
  });

  test.each([["use-jwt-cookie"], ["x-csrftoken"]])(
    "a script of a listed page with %s is accepted",
    async (name) => {
      const username = `lea-${name}`;
      await academy.enrol(username);
      const answer = await post({ ...withCookies(username), origin: LISTED, [name]: "x" });
      expect(answer).toMatchObject({
        status: 201,
        headers: { "access-control-allow-origin": LISTED, "access-control-allow-credentials": "true" },
      });
    },
  );

  test("a foreign page with a token is accepted, because it has no one else's cookies", async () => {
    await academy.enrol("max");
    const answer = await post({ ...learner("max"), origin: "https://evil.example.org" });
    expect(answer.status).toBe(201);
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
  });

  test("preflights allow POST from listed origins only, and no other method", async () => {
    const target = `${PREFIX}eligibility/${COURSE}/1/`;
    const preflight = (origin: string) =>
      send(academy.service.httpUrl, { method: "OPTIONS", target, headers: { origin } });
    expect((await preflight(LISTED)).headers).toMatchObject({
      allow: "POST, OPTIONS",
      "access-control-allow-methods": "POST",
      "access-control-allow-origin": LISTED,
    });
    expect((await preflight("https://evil.example.org")).headers).not.toHaveProperty(
      "access-control-allow-methods",
    );
    for (const method of ["GET", "PUT", "DELETE", "PATCH"]) {
      const answer = await send(academy.service.httpUrl, { method, target, headers: learner("ana") });
      expect([answer.status, answer.headers.allow]).toEqual([405, "POST, OPTIONS"]);
    }
    const unslashed = await send(academy.service.httpUrl, { method: "POST", target: target.slice(0, -1) });
    expect([unslashed.status, unslashed.headers.location]).toEqual([308, target]);
  });
});

describe("over gRPC", () => {
  test("the credential is returned; refusals have reasons for programs", async () => {
    const { credentialTypeId } = await configuration();
    const claim = { learningContextKey: COURSE, credentialTypeId };
    await academy.enrol("nia", "oli");
    const as = async (username: string) =>
      academy.service.client(CredentialService, await tokenOf({ username }));
    const nia = await as("nia");
    const { credential } = await nia.claimCredential(claim);
    expect(await reasonOf(nia.claimCredential(claim))).toEqual([
      "AlreadyExists",
      "ALREADY_EXISTS",
      expect.objectContaining({
        uuid: credential?.uuid,
        verify_uuid: credential?.verifyUuid,
        status: "generating",
      }),
    ]);
    await academy.report(exam("oli", 1));
    expect((await reasonOf((await as("oli")).claimCredential(claim)))[1]).toBe("NOT_ELIGIBLE");
    await setClaim(ClaimMode.NEVER);
    expect((await reasonOf((await as("oli")).claimCredential(claim))).slice(0, 2)).toEqual([
      "PermissionDenied",
      "CLAIM_NOT_ALLOWED",
    ]);
  });

  test("eligibility says whether it can be claimed; by default, it doesn't", async () => {
    await academy.enrol("pia");
    const claimIn = async () => {
      const target = `${PREFIX}eligibility/${COURSE}/`;
      const { body } = await send(academy.service.httpUrl, {
        method: "GET",
        target,
        headers: learner("pia"),
      });
      return JSON.parse(body).credentials[0].claim;
    };
    expect(await claimIn()).toBe("allowed");
    await setClaim(ClaimMode.REQUIRED);
    expect(await claimIn()).toBe("required");
    await setClaim(ClaimMode.NEVER);
    expect(await claimIn()).toBeUndefined();
  });

  test("a learner's claimable credentials are listed, those whose requirements are met first", async () => {
    await academy.enrol("qi");
    // Not claimable: listed only on request.
    await offerCredential(academy.configurations, COURSE, "Other", "retrieve_completions");
    const client = academy.service.client(EligibilityService, await tokenOf({ username: "qi" }));
    const listed = async () =>
      (await client.listClaimableCredentials({})).credentials.map((each) => [
        each.learningContextName,
        each.eligibility?.isEligible,
        each.eligibility?.claim,
      ]);
    expect(await listed()).toEqual([["Course One", true, ClaimMode.ALLOWED]]);
    const { credentials } = await client.listClaimableCredentials({ includeUnclaimable: true });
    expect(credentials.map(({ eligibility, issuance }) => [eligibility?.claim, issuance])).toEqual([
      [ClaimMode.ALLOWED, OfferIssuance.BY_STAFF],
      [undefined, OfferIssuance.BY_STAFF],
    ]);
    await academy.report(exam("qi", 2));
    expect(await listed()).toEqual([["Course One", false, ClaimMode.ALLOWED]]);
    const { uuid } = await academy.issue("qi", { skipEligibilityCheck: true });
    expect(await listed()).toEqual([]);
    await academy.fail(uuid);
    expect(await listed()).toHaveLength(1);
    await academy.issue("qi", { skipEligibilityCheck: true });
    await academy.generate(uuid);
    await academy.invalidate(uuid);
    expect(await listed()).toEqual([]);
  });
});

describe("the setting of a configuration", () => {
  test("is part of its etag and its revisions, and changes by the mask alone", async () => {
    const before = await setClaim(ClaimMode.ALLOWED);
    const after = await setClaim(ClaimMode.REQUIRED);
    expect(after).toMatchObject({ claim: ClaimMode.REQUIRED, customOptions: before.customOptions });
    expect(after.etag).not.toBe(before.etag);
    const outdated = academy.configurations.updateCredentialConfiguration({
      credentialConfiguration: { id: academy.configurationId, claim: ClaimMode.NEVER, etag: before.etag },
    });
    expect((await reasonOf(outdated))[1]).toBe("ETAG_MISMATCH");
    const { revisions } = await academy.configurations.listRevisions({
      source: { case: "configurationId", value: academy.configurationId },
    });
    expect(revisions.slice(0, 2).map(({ claim }) => claim)).toEqual([ClaimMode.REQUIRED, ClaimMode.ALLOWED]);
    const unknown = academy.configurations.updateCredentialConfiguration({
      credentialConfiguration: { id: academy.configurationId, claim: 7 as ClaimMode },
    });
    await expect(unknown).rejects.toThrow(/credential_configuration.claim is 7/);
  });

  test("is changed by roles that may issue: designers can't, nor change who can claim", async () => {
    const designer = academy.service.client(ConfigurationService, staffToken({ roles: ["designer"] }));
    const change = (claim: ClaimMode, customOptions = {}, paths = ["claim"]) =>
      designer.updateCredentialConfiguration({
        credentialConfiguration: { id: academy.configurationId, claim, customOptions },
        updateMask: { paths },
      });
    const { customOptions } = await configuration();
    await expect(change(ClaimMode.REQUIRED)).rejects.toThrow(/requires the role registrar/);
    const options = { ...customOptions, required_grades: { Exam: 0.1 } };
    await expect(change(ClaimMode.ALLOWED, options, ["custom_options"])).rejects.toThrow(
      /changing who is eligible/,
    );
  });
});

test("if claims are required, plans, runs and lists skip learners who have not claimed, and staff can still name learners", async () => {
  await academy.enrol("rob", "sue", "tom");
  await setClaim(ClaimMode.REQUIRED);
  const { configurationId, credentials } = academy;
  await post(learner("sue"));
  const countsOf = (counts: readonly { reason: SkipReason; count: number }[] = []) =>
    new Map(counts.map(({ reason, count }) => [SkipReason[reason], count]));
  const skipped = async () => {
    const { plan } = await credentials.startIssuanceRun({ configurationId, dryRun: true });
    return { issued: plan?.issueCount, unclaimed: countsOf(plan?.skipped).get("NOT_CLAIMED") ?? 0 };
  };
  const before = await skipped();
  expect(before.issued).toBe(0);
  expect(before.unclaimed).toBeGreaterThanOrEqual(2);
  const { run } = await credentials.startIssuanceRun({ configurationId });
  expect(countsOf(run?.skipped).get("NOT_CLAIMED")).toBe(before.unclaimed);
  expect(await credentialsOf("rob")).toEqual([]);

  const viewer = academy.service.client(
    EligibilityService,
    await tokenOf({ username: "vera", isStaff: true }),
  );
  const absent = await viewer.listLearnersWithoutCredential({
    configurationId,
    reason: SkipReason.NOT_CLAIMED,
  });
  expect(absent.learners.map(({ username }) => username)).toEqual(expect.arrayContaining(["rob", "tom"]));
  expect(countsOf(absent.counts).get("NOT_CLAIMED")).toBe(before.unclaimed);

  const [claimed] = await credentialsOf("sue");
  await academy.fail(claimed?.uuid ?? "");
  expect((await skipped()).issued).toBe(1);

  const named = await credentials.startIssuanceRun({ configurationId, usernames: ["tom"] });
  expect(named.run?.issuedCount).toBe(1);
  await setClaim(ClaimMode.ALLOWED);
  expect(await skipped()).toMatchObject({ unclaimed: 0 });
});

describe("GET credentials/", () => {
  const list = async (as: Headers, query = "") => {
    const answer = await send(academy.service.httpUrl, {
      method: "GET",
      target: `${PREFIX}credentials/${query}`,
      headers: as,
    });
    return { status: answer.status, body: JSON.parse(answer.body) };
  };

  test("lists the learner's own in the plug-in's form; staff may name others; failed ones are for staff", async () => {
    await academy.enrol("uma", "vic");
    expect(await list(learner("uma"))).toEqual({ status: 200, body: { credentials: [] } });
    await post(learner("uma"));
    const [credential] = await credentialsOf("uma");
    const shown = {
      credential_id: credential?.uuid,
      credential_type: "Certificate",
      context_key: COURSE,
      status: "generating",
      created_date: expect.stringMatching(/Z$/),
      download_url: "",
    };
    expect((await list(learner("uma"))).body).toEqual({ credentials: [shown] });
    await academy.generate(credential?.uuid ?? "");
    const available = { ...shown, status: "available", download_url: expect.stringMatching(/^https?:/) };
    const { body } = await list(learner("uma"), `?learning_context_key=${COURSE.replaceAll("+", "%2B")}`);
    expect(body).toEqual({ credentials: [available] });
    expect(Object.keys(body.credentials[0])).toEqual(Object.keys(shown));
    expect(await list(staff, "?username=uma")).toMatchObject({
      status: 200,
      body: { credentials: [available] },
    });
    const failed = await academy.issue("vic");
    await academy.fail(failed.uuid);
    expect((await list(learner("vic"))).body.credentials).toEqual([]);
    expect((await list(staff, "?username=vic")).body.credentials).toMatchObject([{ status: "error" }]);
  });

  test.each([
    ["no token", {}, "", 403],
    ["another learner", learner("uma"), "?username=vic", 403],
    ["an unknown learner, for staff", staff, "?username=nobody", 404],
    ["a course of others", learner("uma"), "?learning_context_key=course-v1:A%2BB%2BC", 404],
    ["a malformed key", learner("uma"), "?learning_context_key=x", 400],
  ])("%s is refused", async (_, as, query, status) => {
    expect((await list(as, query)).status).toBe(status);
  });
});
