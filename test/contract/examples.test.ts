import { setTimeout as sleep } from "node:timers/promises";
import { getOption } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cast, staffUser } from "#app/sample-data/cast.js";
import { invalidateMisprint } from "#app/sample-data/invalidate-misprint.js";
import { loadSampleData } from "#app/sample-data/load.js";
import { getCredential } from "#domain/credentials/get-credential.js";
import { exampleStatusOf } from "#edges/openapi/responses.js";
import { httpRuleOf } from "#edges/rest/route.js";
import { rest_compatibility, rest_example } from "#gen/learning_credentials/options/v1/options_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { startTestService, type TestService, tokenOf } from "../support/service.js";
import { send } from "./raw-request.js";

/** The examples of REST routes in the .proto files. This test sends each of them. */
const examples = [CredentialService, ConfigurationService, EligibilityService].flatMap(({ methods }) =>
  methods.flatMap((method) =>
    getOption(method, rest_example).map((example) => ({
      ...example,
      status: exampleStatusOf(example),
      compatibility: getOption(method, rest_compatibility),
      method: httpRuleOf(method).httpMethod,
    })),
  ),
);

/** The callers of some examples, by the summary of the example. The graduate calls all other examples. */
const callers: Readonly<Record<string, { username: string; isStaff?: boolean }>> = {
  "A learning path": cast.newcomer,
  "Staff request the data of an unknown learner": staffUser,
  "The PDF is being generated": { username: "laxmi.shrestha" },
  "The PDF is being generated; the response is only a sentence": { username: "maria.delpilar" },
  "Requirements are missing": { username: "park.jihu" },
  "The learner already has the credential": { username: "itamar.chernin" },
};

let service: TestService;
/** Another service on the same data, with LEARNING_CREDENTIALS_REST_COMPATIBILITY. */
let compatible: TestService;
/** UUIDs of the credentials in the examples, as issued in this academy, by summary. */
let verifyUuids: Readonly<Record<string, string | undefined>>;

beforeAll(async () => {
  service = await startTestService({ worker: true });
  compatible = await startTestService({
    beside: service,
    settings: { LEARNING_CREDENTIALS_REST_COMPATIBILITY: "0.5.1" },
  });
  const { app } = service;
  const { signal } = new AbortController();
  const { graduate, misprint } = await loadSampleData({ ...app, settings: app.config }, signal);
  if (!graduate || !misprint) throw new Error("the sample academy has issued nothing");
  await invalidateMisprint(app.database, misprint.uuid, signal);
  for (;;) {
    const { status } = await getCredential(app.database.knex, graduate.uuid);
    if (status !== "generating") break;
    await sleep(50);
  }
  verifyUuids = {
    "A credential that is valid": graduate.verifyUuid,
    "A credential that was invalidated": misprint.verifyUuid,
  };
});

afterAll(async () => {
  await compatible?.stop();
  await service?.stop();
});

test.each(examples)("$status $url: $summary", async (example) => {
  const { summary, url, status, body, compatibility, method } = example;
  const verifyUuid = verifyUuids[summary];
  const target = verifyUuid === undefined ? url : url.replace(/[^/]+\/$/, `${verifyUuid}/`);
  const token = await tokenOf(callers[summary] ?? cast.graduate);
  const answer = await send((compatibility === "" ? service : compatible).httpUrl, {
    method,
    target,
    headers: { authorization: `Bearer ${token}` },
  });
  expect({ status: answer.status, body: timeless(answer.body) }).toEqual({ status, body: timeless(body) });
});

/** Replaces everything that differs between academies: identifiers, times, links. */
function timeless(body: string): string {
  return body
    .replaceAll(/"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"/g, '"<uuid>"')
    .replaceAll(/"(created|created_date)":"[^"]+"/g, '"$1":"<moment>"')
    .replaceAll(
      /"existing_credential":(\{[^}]*"status":)"(generating|available)"/g,
      '"existing_credential":$1"<made>"',
    )
    .replaceAll(/"(download_url|existing_credential_url)":"[^"]+"/g, '"$1":"<link>"');
}
