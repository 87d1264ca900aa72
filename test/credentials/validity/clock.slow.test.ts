import { describe, expect, test } from "vitest";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { givenAcademy } from "../../support/academy.js";
import { startTestService, type TestService, tokenOf } from "../../support/service.js";
import { transportsTo } from "./transports.js";

const academy = givenAcademy({ signs: true });

/** The first and the last time zone in which a day begins, and UTC. */
const ZONES = ["Pacific/Kiritimati", "Etc/GMT+12", "UTC"];

/** Starts a service with this time zone on the same database. */
async function inZone<T>(timeZone: string, work: (service: TestService) => Promise<T>): Promise<T> {
  const service = await startTestService({
    beside: academy.service,
    signs: true,
    settings: { TIME_ZONE: timeZone },
  });
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
}

async function issuedAt(service: TestService, username: string) {
  await academy.enrol(username);
  const staff = service.client(CredentialService, await tokenOf({ username: "registrar", isStaff: true }));
  const { configurationId } = academy;
  const { uuid } = await staff.issueCredential({ configurationId, username });
  await academy.generate(uuid);
  return { staff, credential: await staff.getCredential({ uuid }) };
}

/** Returns the day in a time zone, computed by `Intl` and not by this service. */
const dayIn = (timeZone: string, moment: Date) =>
  new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format(moment);

describe.each(ZONES)("in %s", (timeZone) => {
  test("a period ends with its last day there", { timeout: 60_000 }, async () => {
    await academy.configurations.updateCredentialConfiguration({
      credentialConfiguration: { id: academy.configurationId, customOptions: { validity: "P30D" } },
    });
    await inZone(timeZone, async (service) => {
      const { credential } = await issuedAt(service, `period ${timeZone}`.replace(/\W/g, "."));
      const issued = new Date(Number(credential.createTime?.seconds) * 1000);
      const end = new Date(Number(credential.expireTime?.seconds) * 1000);
      const last = new Date(end.getTime() - 1);
      const thirtyDays = new Date(issued.getTime() + 30 * 86_400_000); // clocks never change in these zones
      expect(dayIn(timeZone, last)).toBe(dayIn(timeZone, thirtyDays));
      expect(dayIn(timeZone, end)).not.toBe(dayIn(timeZone, last));
    });
  });

  test("every protocol reports the expiry from the same second", { timeout: 60_000 }, async () => {
    await inZone(timeZone, async (service) => {
      const { staff, credential } = await issuedAt(service, `clock ${timeZone}`.replace(/\W/g, "."));
      const { uuid, verifyUuid } = credential;
      const transports = await transportsTo(service, credential, staff);
      const { rows } = await academy.service.app.database.knex.raw(
        `update credentials set created_at = date_trunc('second', now()) - interval '1 year',
           valid_until = clock_timestamp() + interval '2 seconds' where uuid = ? returning valid_until as "end"`,
        [uuid],
      );
      const end: number = rows[0].end.getTime();
      await Promise.all(
        Object.entries(transports).map(async ([transport, hasExpired]) => {
          for (;;) {
            const requested = Date.now();
            const isExpired = await hasExpired();
            const answered = Date.now();
            // Even on a slow machine, the expiry is never reported early, and never a second late.
            if (isExpired) expect([transport, answered >= end]).toEqual([transport, true]);
            else expect([transport, requested < end + 1000]).toEqual([transport, true]);
            if (isExpired) return;
          }
        }),
      );
      const answer = await fetch(`${service.httpUrl}/api/learning_credentials/v1/metadata/${verifyUuid}/`);
      const { invalidation_reason: reason } = (await answer.json()) as { invalidation_reason: string };
      expect(reason).toBe(`Expired on ${dayIn(timeZone, new Date(end - 1))}.`);
    });
  });
});
