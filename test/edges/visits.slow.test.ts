import { pino } from "pino";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { importContractData, issued } from "../contract/contract-data.js";
import { send } from "../contract/raw-request.js";
import { lockTables } from "../db/lock.js";
import { readHtml } from "../email/read-html.js";
import { givenService } from "../support/service.js";

const UUID = issued.AVAILABLE.verifyUuid;
const UNKNOWN = "00000000-0000-4000-8000-000000000000";
const TOKEN = "a-link-that-nobody-else-may-have".padEnd(70, "x");
const CLIENT = "192.0.2.7";

let lines: object[] = [];
let logged = "";
const log = pino(
  { level: "info" },
  {
    write(line) {
      logged += line;
      lines.push(JSON.parse(line));
    },
  },
);

const service = givenService({
  settings: { TRUSTED_PROXIES: "1", MAX_CONCURRENT_CALLS: "1", ADMIN_PORT: "0" },
  log,
});
beforeAll(async () => {
  await importContractData(service);
});
beforeEach(() => {
  lines = [];
});

const visit = (target: string, client = CLIENT) =>
  send(service.httpUrl, {
    method: "GET",
    target,
    headers: { "x-forwarded-for": client, "x-request-id": "visit-1", "accept-language": "en" },
  });

describe("a visit to a page is a call like any other", () => {
  test.each([
    ["a page", `/verify/${UUID}/`, 200, "GET /verify/", "Ok"],
    ["the page of an unknown credential", `/verify/${UNKNOWN}/`, 404, "GET /verify/", "NotFound"],
    ["the form", "/verify/", 200, "GET /verify/", "Ok"],
    ["the form, with nonsense in it", "/verify/?id=nonsense", 400, "GET /verify/", "InvalidArgument"],
    ["a forged link of a mail", `/download/${TOKEN}/`, 404, "GET /download/", "NotFound"],
    [
      "a file without a valid link",
      `/files/${TOKEN}.pdf?expires=1&signature=x`,
      403,
      "GET /files/",
      "PermissionDenied",
    ],
    [
      "a download by login",
      `/download/credential/${UNKNOWN}/`,
      403,
      "learning_credentials.v1.CredentialService/GetDownloadUrl",
      "Unauthenticated",
    ],
  ])("it has one line in the log and a metric: %s", async (_, target, status, method, code) => {
    expect((await visit(target)).status).toBe(status);
    await expect
      .poll(() => lines)
      .toMatchObject([
        { requestId: "visit-1", method, caller: "anonymous", client: CLIENT, code, msg: "call" },
      ]);
    const counted = `learning_credentials_call_seconds_count{method="${method}",code="${code}"}`;
    expect(await service.app.metrics.text()).toContain(counted);
    expect(logged).not.toMatch(new RegExp(`${UUID}|${UNKNOWN}|${TOKEN}`));
  });

  test("it uses MAX_CONCURRENT_CALLS until its response is sent", async () => {
    const lock = await lockTables(service.app.database.url, "credentials");
    try {
      const held = visit(`/verify/${UUID}/`);
      await expect.poll(() => lock.waiting()).toBe(1);
      for (const target of [`/verify/${UUID}/`, `/download/${TOKEN}/`]) {
        const refused = await visit(target, "192.0.2.8");
        expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "1"]);
        expect(readHtml(refused.body).text).toContain("Try again later");
      }
      await lock.release();
      await held;
    } finally {
      await lock.release();
    }
  });
});
