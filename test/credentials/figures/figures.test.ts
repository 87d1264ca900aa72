import { once } from "node:events";
import { get } from "node:http";
import { Code, ConnectError } from "@connectrpc/connect";
import { expect, onTestFinished, test } from "vitest";
import { createFigureCounter } from "#domain/credentials/figures/figure-counter.js";
import { isoDay } from "#foundation/calendar/day.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { givenAcademy } from "../../support/academy.js";
import { boundedToken, startTestService } from "../../support/service.js";

const TIME_ZONE = "Pacific/Kiritimati"; // UTC+14
const academy = givenAcademy({ settings: { TIME_ZONE } });
const none = { issued: 0, emailed: 0, withdrawn: 0, downloaded: 0, verified: 0 };

async function reported(configurationId = 0) {
  const { app } = academy.service;
  await app.figures.keep();
  const day = isoDay(new Date(), TIME_ZONE);
  return academy.credentials.listDailyFigures({ firstDay: day, lastDay: day, configurationId });
}

/** Reads a page with the headers that browsers send for a script of the service's own pages. */
async function readAsConsole(url: string): Promise<void> {
  const headers = { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty" };
  const [response] = await once(get(url, { headers }), "response");
  response.resume();
  expect(response.statusCode).toBe(200);
}

test("events are counted for their day and configuration, each once", async () => {
  const { credentials, configurationId, service } = academy;
  expect((await reported()).days).toEqual([]);
  await academy.enrol("ana", "ben");
  const ana = await credentials.issueCredential({ configurationId, username: "ana" });
  const ben = await credentials.issueCredential({ configurationId, username: "ben" });
  for (const { uuid } of [ana, ben]) await academy.generate(uuid);
  await credentials.getDownloadUrl({ uuid: ana.uuid });
  const link = await fetch(`${service.httpUrl}/verify/${ana.verifyUuid}/`);
  expect(link.status).toBe(200);
  await readAsConsole(`${service.httpUrl}/verify/${ana.verifyUuid}/`);
  for (let turn = 0; turn < 3; turn++)
    await fetch(`${service.httpUrl}/api/learning_credentials/v1/metadata/${ana.verifyUuid}/`);
  await fetch(`${service.httpUrl}/api/learning_credentials/v1/metadata/${crypto.randomUUID()}/`);
  const { fileSha256 } = await credentials.getCredential({ uuid: ana.uuid });
  await credentials.verifyCredential({ subject: { case: "fileSha256", value: fileSha256 } });
  await credentials.invalidateCredential({ uuid: ben.uuid, reason: "Mistake" });
  const figures = { ...none, issued: 2, withdrawn: 1, downloaded: 1, verified: 5 };
  await expect.poll(() => reported()).toMatchObject({ days: [{ figures }] });
  expect(await reported()).toMatchObject({
    days: [{ day: isoDay(new Date(), TIME_ZONE), figures }],
    configurations: [{ configurationId, figures }],
  });
  expect((await reported(configurationId + 1)).days).toEqual([]);
});

test("a credential that is issued again after a failure is counted once", async () => {
  const { credentials, configurationId } = academy;
  const issued = async () => (await reported()).days[0]?.figures?.issued ?? 0;
  const before = await issued();
  await academy.enrol("cyd");
  const { uuid } = await academy.issue("cyd");
  await academy.fail(uuid);
  expect(await credentials.issueCredential({ configurationId, username: "cyd" })).toMatchObject({ uuid });
  const events = async () => (await credentials.listCredentialEvents({ credentialUuid: uuid })).events;
  await expect.poll(events).toHaveLength(2);
  expect(await issued()).toBe(before + 1);
});

test("those of other organisations are not included", async () => {
  const service = await startTestService({
    beside: academy.service,
    settings: { AUTH_JWT_ORGANISATIONS_CLAIM: "organisations" },
  });
  onTestFinished(() => service.stop());
  const client = service.client(CredentialService, await boundedToken(service, ["Elsewhere"]));
  const year = { firstDay: "2026-01-01", lastDay: "2026-12-31" };
  expect((await client.listDailyFigures(year)).configurations).toEqual([]);
});

test("figures that could not be stored are stored the next time", async () => {
  const { database } = academy.service.app;
  let isAway = true;
  const knex = new Proxy(database.knex, {
    get(target, name) {
      if (isAway && name === "raw") return () => Promise.reject(new Error("away"));
      return Reflect.get(target, name);
    },
  });
  const counter = createFigureCounter(knex, TIME_ZONE);
  const before = (await reported()).days[0]?.figures?.verified ?? 0;
  counter.count("verified", academy.configurationId);
  await expect(counter.keep()).rejects.toThrow("away");
  isAway = false;
  counter.count("verified", academy.configurationId);
  await counter.keep();
  expect((await reported()).days[0]?.figures?.verified).toBe(before + 2);
});

test.each([
  [{ firstDay: "2026-1-1", lastDay: "2026-01-02" }, "first_day"],
  [{ firstDay: "2026-01-01", lastDay: "2027-01-03" }, "last_day"],
])("%o is refused", async (request, field) => {
  const error = ConnectError.from(
    await academy.credentials.listDailyFigures(request).catch((error) => error),
  );
  expect([error.code, error.rawMessage]).toEqual([Code.InvalidArgument, expect.stringContaining(field)]);
});
