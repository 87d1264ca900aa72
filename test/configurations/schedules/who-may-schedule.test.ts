import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startScheduledRuns } from "#domain/credentials/runs/start-scheduled-runs.js";
import { CredentialConfigurationSchema } from "#gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import type { Role } from "#infrastructure/identity/roles.js";
import { forge, hmac } from "../../identity/forge.js";
import { COURSE, exam, givenAcademy } from "../../support/academy.js";
import { JWT_SECRET } from "../../support/service.js";

const COMPLETIONS = "learning_credentials.processors.retrieve_completions";
const PATH = "path-v1:Uni+P1+2026+Cohort";

const academy = givenAcademy({
  settings: { AUTH_JWT_ROLES_CLAIM: "roles" },
});
let typeId: number;

beforeAll(async () => {
  const { configurationId: id } = academy;
  typeId = (await academy.configurations.getCredentialConfiguration({ id })).credentialTypeId;
  // The learner has 10 % of the points, and the type requires 65 %.
  await academy.enrol("low");
  await academy.report(exam("low", 1));
});

function as(roles: readonly Role[], username = roles.join(".")) {
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const token = forge({ alg: "HS256" }, { sub: username, roles, exp }, hmac(JWT_SECRET));
  return academy.service.client(ConfigurationService, token);
}

const knex = () => academy.service.app.database.knex;
const sweep = () =>
  startScheduledRuns(
    { ...academy.service.app, settings: academy.service.app.config },
    AbortSignal.timeout(60_000),
  );
const holdersIn = (learningContextKey: string) =>
  knex()("credentials").where({ learning_context_key: learningContextKey }).pluck("username");

/** A schedule that is due immediately. */
const DAILY = { enabled: true, recurrence: { case: "intervalDays" as const, value: 1 } };

async function refusal(call: Promise<unknown>) {
  try {
    await call;
    return "done";
  } catch (error) {
    const { code, rawMessage } = ConnectError.from(error);
    return [Code[code], rawMessage];
  }
}
const REFUSED = ["PermissionDenied", expect.stringMatching(/requires the role registrar\.$/)];

/** Lets a registrar set the schedule, and runs it once. Later runs issue a credential only after further changes. */
async function scheduled(): Promise<number> {
  const id = academy.configurationId;
  await as(["registrar"], "rita").updateCredentialConfiguration({
    credentialConfiguration: { id, schedule: DAILY },
  });
  await sweep();
  return id;
}

/** Makes the next run due, and starts it. */
async function dueAgain(): Promise<void> {
  await knex().raw("update credential_schedules set next_run_at = now() where next_run_at is not null");
  await sweep();
}

beforeEach(async () => {
  await knex().raw("delete from credential_schedules; delete from credential_configurations where id <> 1");
  await academy.configure({});
});

describe("a designer, who may not issue", () => {
  const low = { required_grades: { Total: 0.001 } };

  test("does not issue by their own schedule, however it is set", async () => {
    const designer = as(["designer"]);
    const id = academy.configurationId;
    const key = "course-v1:Uni+Own+1";
    const schedule = DAILY;
    const ways = [
      { credentialConfiguration: { id, customOptions: low, schedule } },
      { credentialConfiguration: { id, schedule } },
      { credentialConfiguration: { id, customOptions: low, schedule }, updateMask: { paths: ["*"] } },
      { credentialConfiguration: { id, schedule }, updateMask: { paths: ["schedule"] } },
      { credentialConfiguration: { id, schedule: { ...schedule, enabled: false } } },
    ];
    for (const way of ways)
      expect(await refusal(designer.updateCredentialConfiguration(way))).toEqual(REFUSED);
    const created = { learningContextKey: key, credentialTypeId: typeId, customOptions: low, schedule };
    expect(
      await refusal(designer.createCredentialConfiguration({ credentialConfiguration: created })),
    ).toEqual(REFUSED);
    await sweep();
    expect(await holdersIn(COURSE)).toEqual([]);
    expect(await knex()("credential_configurations").where({ learning_context_key: key })).toEqual([]);
  });

  test("does not issue by lowering the requirements of a schedule, in the configuration or in its type", async () => {
    const designer = as(["designer"]);
    const id = await scheduled();
    const ofConfiguration = [
      low,
      { use_platform_total: true },
      { required_grades: { Exam: null, Total: 0 } },
      { validity: "P1D" },
      { renewal_window: "P60D" },
      { renew_on: "eligible" },
    ];
    for (const customOptions of ofConfiguration) {
      const changed = designer.updateCredentialConfiguration({
        credentialConfiguration: { id, customOptions },
      });
      expect([customOptions, await refusal(changed)]).toEqual([customOptions, REFUSED]);
    }
    const ofType = [
      { customOptions: low },
      { retrievalFunc: COMPLETIONS, customOptions: { required_completion: 0.001 } },
      { customOptions: { required_grades: { Exam: 0.65, Total: 0.8 }, renewal_window: "P60D" } },
    ];
    for (const changes of ofType) {
      const changed = designer.updateCredentialType({ credentialType: { id: typeId, ...changes } });
      expect([changes, await refusal(changed)]).toEqual([changes, REFUSED]);
    }
    await dueAgain();
    expect(await holdersIn(COURSE)).toEqual([]);
  });

  test("does not issue by the steps of a scheduled path", async () => {
    await academy.report({
      case: "learningPath",
      value: { pathKey: PATH, displayName: "Path", stepCourseKeys: [COURSE] },
    });
    const { id } = await academy.configurations.createCredentialConfiguration({
      credentialConfiguration: { learningContextKey: PATH, credentialTypeId: typeId, schedule: DAILY },
    });
    const customOptions = { steps: { [COURSE]: low } };
    const changed = as(["designer"]).updateCredentialConfiguration({
      credentialConfiguration: { id, customOptions },
    });
    expect(await refusal(changed)).toEqual(REFUSED);
  });

  test("can still design what is scheduled, and change requirements that no schedule uses", async () => {
    const designer = as(["designer"]);
    const id = await scheduled();
    const same = await designer.getCredentialConfiguration({ id });
    const shown = { accent_color: "#123456", mail_text: "Well done." };
    await designer.updateCredentialConfiguration({
      credentialConfiguration: { ...same, customOptions: shown },
      updateMask: { paths: ["custom_options", "schedule"] },
    });
    expect((await designer.getCredentialConfiguration({ id })).customOptions).toEqual(shown);

    await as(["registrar"], "rita").updateCredentialConfiguration({
      credentialConfiguration: { id, schedule: { ...DAILY, enabled: false } },
    });
    await designer.updateCredentialConfiguration({ credentialConfiguration: { id, customOptions: low } });
    const other = await designer.createCredentialConfiguration({
      credentialConfiguration: { learningContextKey: "course-v1:Uni+Own+2", credentialTypeId: typeId },
    });
    await designer.updateCredentialConfiguration({
      credentialConfiguration: { id: other.id, customOptions: low },
    });
    await sweep();
    expect(await holdersIn(COURSE)).toEqual([]);
  });

  test("who deletes a scheduled configuration and offers the type again has no schedule", async () => {
    const designer = as(["designer"]);
    const made = { learningContextKey: "course-v1:Uni+Own+3", credentialTypeId: typeId };
    const { id } = await academy.configurations.createCredentialConfiguration({
      credentialConfiguration: { ...made, schedule: DAILY },
    });
    await designer.deleteCredentialConfiguration({ id });
    const again = await designer.createCredentialConfiguration({ credentialConfiguration: made });
    expect(again.schedule).toBeUndefined();
  });

  test("changes a type whose requirements a scheduled configuration overrides", async () => {
    const id = await scheduled();
    const customOptions = { required_grades: { Exam: 0.65, Total: 0.8 } };
    await academy.configurations.updateCredentialConfiguration({
      credentialConfiguration: { id, customOptions },
    });
    const designer = as(["designer"]);
    const lower = { required_grades: { Exam: 0.001, Total: 0.001 } };
    const changed = await designer.updateCredentialType({
      credentialType: { id: typeId, customOptions: lower },
    });
    expect(changed.customOptions).toEqual(lower);
    await designer.updateCredentialType({ credentialType: { id: typeId, customOptions } });
  });
});

describe("a registrar", () => {
  test("sets and removes a schedule, and changes nothing of the design", async () => {
    const registrar = as(["registrar"], "rita");
    const id = await scheduled();
    expect((await registrar.getCredentialConfiguration({ id })).schedule).toMatchObject({ setBy: "rita" });
    for (const paths of [["custom_options"], ["*"]]) {
      const change = registrar.updateCredentialConfiguration({
        credentialConfiguration: { id, customOptions: { accent_color: "#123456" }, schedule: DAILY },
        updateMask: { paths },
      });
      expect(await refusal(change)).toEqual([
        "PermissionDenied",
        "Changing options requires the role designer.",
      ]);
    }
    const empty = create(CredentialConfigurationSchema, { id });
    await registrar.updateCredentialConfiguration({
      credentialConfiguration: empty,
      updateMask: { paths: ["schedule"] },
    });
    expect((await registrar.getCredentialConfiguration({ id })).schedule).toBeUndefined();
  });

  test("is named in the events of what the schedule issues, and in the audit trail", async () => {
    const id = await scheduled();
    // A schedule issues in the name of the user who lowered its requirements.
    await as(["registrar", "designer"], "rory").updateCredentialConfiguration({
      credentialConfiguration: { id, customOptions: { required_grades: { Exam: null, Total: 0.001 } } },
    });
    expect((await academy.configurations.getCredentialConfiguration({ id })).schedule?.setBy).toBe("rory");
    await dueAgain();
    expect(await holdersIn(COURSE)).toEqual(["low"]);

    await expect
      .poll(async () => (await academy.credentials.listCredentialEvents({ actor: "rory" })).events)
      .toMatchObject([{ configurationId: id, actor: "rory" }]);
    const [run] = (await academy.credentials.listIssuanceRuns({ configurationId: id })).runs;
    expect(run).toMatchObject({ startedBy: "schedule", issuedCount: 1 });
    const entered = await knex()("audit_entries")
      .join("audit_names", "audit_names.id", "audit_entries.caller_id")
      .whereLike("method", "%UpdateCredentialConfiguration")
      .whereRaw("objects @> ?", [[`configuration:${id}`]])
      .pluck("name");
    expect(entered).toEqual(expect.arrayContaining(["rita", "rory"]));
  });
});
