import { beforeAll, describe, expect, test } from "vitest";
import { givenService, startTestService } from "../support/service.js";
import { bearer, cookies, learner, token } from "./callers.js";
import { fileKey, importContractData, issued, STATUSES } from "./contract-data.js";
import { PREFIX } from "./exchange.js";
import { send } from "./raw-request.js";
import { describeContract } from "./tables.js";

const service = givenService();

beforeAll(async () => {
  await importContractData(service);
});

describeContract(() => service);

describe("cookies", () => {
  const target = "/learning_credentials.v1.ConfigurationService/CheckConfiguration";
  const json = { "content-type": "application/json" };
  const staff = token({ sub: "registrar", is_staff: true });
  const body = '{"learningContextKey":"course-v1:No+Such+Course"}';

  test("authenticate on GET only: any site can make a browser send a POST with them", async () => {
    const withCookies = { method: "POST", target, headers: { ...json, ...cookies(staff) }, body };
    expect(await send(service.httpUrl, withCookies)).toMatchObject({
      status: 401,
      body: expect.stringContaining(
        '{"code":"unauthenticated","message":"Authentication credentials were not provided."',
      ),
    });
    const withToken = { method: "POST", target, headers: { ...json, ...bearer(staff) }, body };
    expect(await send(service.httpUrl, withToken)).toMatchObject({ status: 200, body: "{}" });
  });
});

describe("LEARNING_CREDENTIALS_CUSTOM_DOMAIN", () => {
  test.each([
    ["credentials.example.org", "https://credentials.example.org"],
    ["http://localhost:9000/media", "http://localhost:9000/media"],
  ])("%s: download links use that domain, without a signature", async (domain, base) => {
    const elsewhere = await startTestService({ settings: { LEARNING_CREDENTIALS_CUSTOM_DOMAIN: domain } });
    try {
      await importContractData(elsewhere);
      const target = `${PREFIX}eligibility/${STATUSES}/`;
      const answer = await send(elsewhere.httpUrl, { method: "GET", target, headers: learner("hal") });
      expect(answer.body).toContain(`"download_url":"${base}/${fileKey(issued.AVAILABLE)}"}`);
    } finally {
      await elsewhere.stop();
    }
  });
});
