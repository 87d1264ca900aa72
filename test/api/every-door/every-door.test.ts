import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CallerService } from "../../../gen/learning_credentials/v1/caller_service_pb.js";
import { ConfigurationService } from "../../../gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialService } from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import { EligibilityService } from "../../../gen/learning_credentials/v1/eligibility_service_pb.js";
import { LearnerRecordService } from "../../../gen/learning_credentials/v1/learner_record_service_pb.js";
import { WebhookService } from "../../../gen/learning_credentials/v1/webhook_service_pb.js";
import { REASONS } from "../../../src/errors.js";
import { type Academy, openAcademy } from "../../credentials/academy.js";
import { answerOf, doorsOf, tokensOfCallers } from "./answers.js";
import { assets } from "./assets.js";
import { callers } from "./callers.js";
import { configurations } from "./configurations.js";
import { corrections } from "./corrections.js";
import { credentialTypes } from "./credential-types.js";
import { credentials } from "./credentials.js";
import { eligibility } from "./eligibility.js";
import { events } from "./events.js";
import { issuanceRuns } from "./issuance-runs.js";
import { type Known, makeKnown } from "./known.js";
import { learnerRecords } from "./learner-records.js";
import { webhooks } from "./webhooks.js";

const services = [
  CredentialService,
  ConfigurationService,
  EligibilityService,
  LearnerRecordService,
  CallerService,
  WebhookService,
];

/** The order matters, because later calls use what earlier ones did. */
const table = [
  ...credentials,
  ...corrections,
  ...issuanceRuns,
  ...events,
  ...credentialTypes,
  ...configurations,
  ...assets,
  ...eligibility,
  ...learnerRecords,
  ...callers,
  ...webhooks,
];

let academy: Academy;
let tokens: Readonly<Record<string, string>>;
let known: Known;
const doors = doorsOf(() => academy.service);

beforeAll(async () => {
  academy = await openAcademy({ signs: true });
  tokens = await tokensOfCallers();
  known = await makeKnown(academy, doors.length);
});
afterAll(() => academy.service.stop());

/** Every refusal has a known reason, and names the field that is wrong by its path. */
function expectReason(details: unknown): void {
  const { info, badRequest } = details as {
    info: { reason: string; domain: string }[];
    badRequest: { fieldViolations: { field: string; reason: string }[] }[];
  };
  expect(info).toHaveLength(1);
  expect(REASONS).toContain(info[0]?.reason);
  expect(info[0]?.domain).toBe("learning-credentials");
  for (const { field, reason } of badRequest.flatMap(({ fieldViolations }) => fieldViolations)) {
    expect(reason).toBe(info[0]?.reason);
    expect(field).toMatch(/^[a-z_]+([.[][\w\]]+)*$/);
  }
}

describe("every protocol gives the same result", () => {
  it.each(table.map((call) => ({ ...call, name: call.method.name })))(
    "$name: $what -> $code",
    async (call) => {
      const place = { service: academy.service, tokens, known };
      const answers = [];
      for (const [index, [door, client]] of doors.entries()) {
        answers.push({ door, ...(await answerOf(client, index, call, place)) });
      }
      const [first] = answers;
      expect(first).toMatchObject({
        code: call.code,
        message: call.says && expect.stringContaining(call.says),
      });
      if (call.code !== "OK") expectReason(first?.details);
      for (const answer of answers) expect(answer).toEqual({ ...first, door: answer.door });
    },
  );

  it("the table has every method, with a success and a refusal", () => {
    const methods = services.flatMap((service) => service.methods);
    const neverRefused = ["GetIssuer"]; // anybody may ask, and there is nothing to get wrong
    for (const refused of [false, true]) {
      const covered = table
        .filter(({ code }) => (code !== "OK") === refused)
        .map(({ method }) => method.name)
        .concat(refused ? neverRefused : []);
      expect(methods.map(({ name }) => name).filter((name) => !covered.includes(name))).toEqual([]);
    }
  });
});
