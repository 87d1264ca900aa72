import { describe, expect, it, vi } from "vitest";
import { changeDeploymentState, refusePlatform } from "#domain/lti/manage-registrations.js";
import type { Acceptance } from "#domain/lti/registration.js";
import { Role } from "#gen/learning_credentials/options/v1/options_pb.js";
import { CallerService } from "#gen/learning_credentials/v1/caller_service_pb.js";
import { LtiRosterMode, LtiService } from "#gen/learning_credentials/v1/lti_service_pb.js";
import { execute, queryRows, queryValue } from "#infrastructure/db/query.js";
import { callAtConsole, postSecret } from "../edges/console/console-session.js";
import { given } from "../support/given.js";
import { givenService, tokenOf } from "../support/service.js";
import { type FakePlatform, startFakePlatform } from "./fake-platform.js";
import { accept, connect, LTI_SETTINGS, launch } from "./lti-service.js";

vi.setConfig({ testTimeout: 60_000 });

const never = new AbortController().signal;
const service = givenService({ settings: LTI_SETTINGS });
const opened: FakePlatform[] = [];
given(
  async () => ({ opened }),
  () => Promise.all(opened.map((platform) => platform.close())),
);

const AS_ACCEPTED: Partial<Acceptance> = {
  organisations: ["Old", "Third"],
  teacherRole: "designer",
  rosters: "listed",
};

async function connected(acceptance: Partial<Acceptance> = AS_ACCEPTED) {
  const platform = await startFakePlatform();
  opened.push(platform);
  return { platform, id: await connect(service, platform, acceptance) };
}

const teacher = { sub: "t", roles: ["Instructor"] };

async function linkOf(platform: FakePlatform): Promise<string | undefined> {
  const { page } = await launch(service, platform, teacher);
  return /#sign-in=([\w-]+)/.exec(page)?.[1];
}

/**
 * Launches a teacher into the console, obtains a second link, and launches a learner. Returns a function that requests
 * the session, the second link and the learner's page again, and returns the HTTP status of each.
 */
async function letIn(platform: FakePlatform) {
  const { headers } = await postSecret(service, await linkOf(platform));
  const [cookie = ""] = /^[^;]+/.exec(String(headers["set-cookie"])) ?? [];
  const link = await linkOf(platform);
  const { page, browser } = await launch(service, platform);
  const token = /name="token" value="([^"]+)"/.exec(page)?.[1] ?? "";
  return async () => ({
    session: (await callAtConsole(service, CallerService.method.getCaller, {}, { cookie })).status,
    link: (await postSecret(service, link)).status,
    page: (await browser.send("/lti/progress", new URLSearchParams({ token }))).status,
  });
}

async function api() {
  return service.client(LtiService, await tokenOf({ username: "lms", service: "write" }));
}

const CLOSED = { session: 401, link: 403, page: 403 };

describe("people whom a launch has let in lose access", () => {
  const change = (changes: Partial<Acceptance>) => async (id: number) => {
    const {
      rosters = "",
      teacherRole = "",
      organisations = [],
      ...acceptance
    } = { ...AS_ACCEPTED, ...changes };
    await (await api()).acceptLtiPlatform({
      id,
      acceptance: {
        ...acceptance,
        organisations: [...organisations],
        teacherRole: Role[(teacherRole.toUpperCase() || "UNSPECIFIED") as keyof typeof Role],
        rosters: rosters === "" ? LtiRosterMode.UNSPECIFIED : LtiRosterMode.LISTED,
      },
    });
  };
  it.each<[string, (id: number) => Promise<unknown>]>([
    ["after the platform was refused", async (id) => (await api()).refuseLtiPlatform({ id })],
    ["after the platform was removed", async (id) => (await api()).deleteLtiPlatform({ id })],
    [
      "after the place was refused",
      async (id) => (await api()).decideLtiDeployment({ platformId: id, deploymentId: "5", accepted: false }),
    ],
    ["after teachers may no longer sign in", change({ teacherRole: "" })],
    ["after teachers may only look", change({ teacherRole: "viewer" })],
    ["after the role was raised", change({ teacherRole: "registrar" })],
    ["after another organisation was named", change({ organisations: ["New"] })],
    ["after one of two organisations was taken away", change({ organisations: ["Third"] })],
    ["after a connector was named", change({ connector: "canvas", rosters: "" })],
    ["after lists are no longer read", change({ rosters: "" })],
  ])("%s", async (_, decide) => {
    const { platform, id } = await connected();
    const stillIn = await letIn(platform);
    await decide(id);
    expect(await stillIn()).toEqual(CLOSED);
    const stored = await queryRows(
      service.app.database.knex,
      `select username from console_sessions where lti_registration_id = :id
       union all select username from console_links where lti_registration_id = :id`,
      { id },
    );
    expect(stored).toEqual([]);
  });

  it("but not those of another platform or deployment, nor if the same is decided again", async () => {
    const { platform, id } = await connected();
    const other = await connected();
    await changeDeploymentState(
      service.app.database,
      { registrationId: id, deploymentId: "6" },
      "accepted",
      undefined,
      never,
    );
    const stillIn = await letIn(platform);
    await refusePlatform(service.app.database, other.id, never);
    await changeDeploymentState(
      service.app.database,
      { registrationId: id, deploymentId: "6" },
      "refused",
      undefined,
      never,
    );
    await accept(service, id, { ...AS_ACCEPTED, hasColumns: true });
    expect(await stillIn()).toEqual({ session: 200, link: 204, page: 200 });
  });

  it("also if they are launched at the moment of the decision", async () => {
    const { platform, id } = await connected();
    for (let round = 0; round < 15; round++) {
      const launches = Array.from({ length: 3 }, () =>
        linkOf(platform)
          .then((secret) => (secret === undefined ? undefined : postSecret(service, secret)))
          .catch(() => undefined),
      );
      await new Promise((resolve) => setTimeout(resolve, round * 15));
      await refusePlatform(service.app.database, id, never);
      await Promise.all(launches);
      const left = await queryValue<number>(
        service.app.database.knex,
        `select (select count(*) from console_sessions where lti_registration_id = :id)::integer
           + (select count(*) from console_links where lti_registration_id = :id)::integer`,
        { id },
      );
      expect(left).toBe(0);
      await accept(service, id, AS_ACCEPTED);
    }
  });
});

describe("the key of a course", () => {
  const keyOf = (id: number, context = "2") =>
    queryValue<string>(
      service.app.database.knex,
      "select context_key as key from lti_contexts where registration_id = ? and context_id = ?",
      [id, context],
    );

  it("changes once its organisation is not one of the platform's, and so does the teachers' console", async () => {
    const { platform, id } = await connected();
    await linkOf(platform);
    expect(await keyOf(id)).toMatch(/^course-v1:Old\+AST101\+/);
    await accept(service, id, { ...AS_ACCEPTED, organisations: ["New"] });
    await linkOf(platform);
    expect(await keyOf(id)).toMatch(/^course-v1:New\+AST101\+/);
    const links = await queryRows(
      service.app.database.knex,
      "select organisations, roles from console_links where lti_registration_id = ?",
      [id],
    );
    expect(links).toEqual([{ organisations: ["New"], roles: ["viewer", "designer"] }]);
  });

  it("stays while its organisation is one of several", async () => {
    const { platform, id } = await connected();
    await linkOf(platform);
    const key = await keyOf(id);
    await accept(service, id, { ...AS_ACCEPTED, organisations: ["Third", "Old"] });
    await linkOf(platform);
    expect(await keyOf(id)).toBe(key);
  });

  const HONEST = "course-v1:Uni+HONEST+2026";

  it.each([
    HONEST,
    ` ${HONEST}`,
    `${HONEST} `,
    HONEST.toUpperCase(),
    `${HONEST}\u200b`,
    "Uni+HONEST+2026",
    "HONEST+2026",
    "path-v1:Uni+HONEST+2026+1",
    "../course-v1:Uni+HONEST+2026",
    "course-v1:Uni%2BHONEST%2B2026",
  ])("is never one that a course team has written: %j", async (label) => {
    const { platform, id } = await connected({ organisations: ["Uni"], rosters: "listed" });
    const { response } = await launch(service, platform, { context: { id: "9", label, title: label } });
    expect(response.status).toBe(200);
    const key = await keyOf(id, "9");
    expect(key).not.toBe(HONEST);
    expect(key).toMatch(/^course-v1:Uni\+[^+]+\+[0-9a-f]{12}$/);
  });

  it("is never that of a course that the connector knows by another id, whatever its label", async () => {
    const { knex } = service.app.database;
    await execute(
      knex,
      "insert into connector_contexts (connector, external_id, context_key, display_name, seen_sweep) values ('canvas', '7', ?, '', 1)",
      [HONEST],
    );
    const { platform, id } = await connected({ organisations: [], connector: "canvas" });
    for (const label of [HONEST, "7"]) {
      const { page } = await launch(service, platform, { ...teacher, context: { id: "9", label } });
      expect(page).toContain("has no record of this course yet");
    }
    await launch(service, platform, { ...teacher, context: { id: "7" } });
    expect(await keyOf(id, "7")).toBe(HONEST);
    // Another connector must not report data about the learner.
    await accept(service, id, { organisations: [], connector: "moodle" });
    const { page } = await launch(service, platform, { ...teacher, context: { id: "7" } });
    expect(page).toContain("has no record of this course yet");
  });
});

describe("a connector and deployments", () => {
  it("a second deployment is not accepted if a connector reads the platform, in any order", async () => {
    const { platform, id } = await connected({ organisations: [], connector: "canvas" });
    const client = await api();
    const second = { platformId: id, deploymentId: "9:schoolB", accepted: true };
    await expect(client.decideLtiDeployment(second)).rejects.toThrow(/reads one deployment of this platform/);
    await accept(service, id, { organisations: ["Uni"], rosters: "listed" });
    await client.decideLtiDeployment(second);
    await expect(accept(service, id, { organisations: [], connector: "canvas" })).rejects.toThrow(
      /accept only one deployment/,
    );
    // Values that an earlier version may have stored.
    await execute(
      service.app.database.knex,
      "update lti_registrations set connector = 'canvas', rosters = '' where id = ?",
      [id],
    );
    for (const deploymentId of ["5", "9:schoolB"]) {
      const { response, page } = await launch(service, platform, { deploymentId });
      expect(response.status).toBe(403);
      expect(page).toContain("has several accepted deployments");
    }
    await client.decideLtiDeployment({ ...second, accepted: false });
    await client.decideLtiDeployment({ platformId: id, deploymentId: "5", accepted: true });
  });

  it("a learner of the connector has no launch without it", async () => {
    const { knex } = service.app.database;
    await execute(
      knex,
      "insert into connector_people (connector, external_id, username) values ('canvas', '42', 'ana')",
    );
    await execute(
      knex,
      "insert into connector_contexts (connector, external_id, context_key, display_name, seen_sweep) values ('canvas', '70', 'course-v1:Uni+C70+1', '', 1)",
    );
    const { platform, id } = await connected({ organisations: ["Uni"], connector: "canvas" });
    const context = { id: "70", label: "C70" };
    await launch(service, platform, { sub: "42", context });
    const people = () => queryRows(knex, "select username from lti_people where registration_id = ?", [id]);
    expect(await people()).toEqual([{ username: "ana" }]);
    await accept(service, id, { organisations: ["Uni"], rosters: "listed" });
    await launch(service, platform, { sub: "42", context });
    expect(await people()).toEqual([{ username: `lti:${id}:42` }]);
  });
});
