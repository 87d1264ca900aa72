import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { type Academy, openAcademy } from "../../support/academy.js";
import { givenDatabase } from "../../support/database.js";
import { startTestService, tokenOf } from "../../support/service.js";
import { transportsTo } from "./transports.js";

/**
 * The database's clock is moved: `public.now()` precedes PostgreSQL's `now()` in the search path. A test can then issue
 * on 29 February, and check every protocol just before and after a moment years later.
 */
const moved = givenDatabase();
let academy: Academy;
beforeAll(async () => {
  const { knex } = moved.database;
  await knex.raw(`
    create table public.moved_clock (moment timestamptz not null);
    insert into public.moved_clock values (pg_catalog.now());
    create function public.now() returns timestamptz language sql stable as
      'select moment from public.moved_clock';
    grant select on public.moved_clock to public;
    do $$ begin
      execute format('alter database %I set search_path = public, pg_catalog', current_database());
    end $$;`);
  academy = await openAcademy({ signs: true, settings: { DATABASE_URL: moved.url } });
});
afterAll(async () => {
  await academy?.service.stop();
});

const moveTo = (moment: string | Date) =>
  moved.database.knex.raw("update public.moved_clock set moment = ?", [moment]);

/** `last` is the last day in the zone, and `end` the first moment after it. */
const cases: [zone: string, issued: string, validity: string, last: string, end: string][] = [
  ["Pacific/Kiritimati", "2028-02-28T10:00:00Z", "P1Y", "2029-02-28", "2029-02-28T10:00:00Z"], // in the zone, it is already the 29th
  ["Pacific/Kiritimati", "2028-02-28T09:59:59Z", "P1M", "2028-03-28", "2028-03-28T10:00:00Z"],
  ["Etc/GMT+12", "2028-03-01T11:59:59Z", "P4Y", "2032-02-29", "2032-03-01T12:00:00Z"], // in the zone, it is still 29 February
  ["Etc/GMT+12", "2027-02-01T11:59:59Z", "P1M", "2027-02-28", "2027-03-01T12:00:00Z"], // in the zone, it is still 31 January
  ["UTC", "2027-08-31T23:59:59Z", "P6M", "2028-02-29", "2028-03-01T00:00:00Z"],
  ["Europe/Madrid", "2027-03-27T22:59:59Z", "P1D", "2027-03-28", "2027-03-28T22:00:00Z"], // clocks are advanced
  ["Europe/Madrid", "2027-10-30T21:59:59Z", "P1D", "2027-10-31", "2027-10-31T23:00:00Z"], // clocks are set back
  ["Africa/Cairo", "2027-04-28T21:59:59Z", "P1D", "2027-04-29", "2027-04-29T22:00:00Z"], // midnight is skipped
];

describe.each(cases)("in %s, issued at %s for %s", (zone, issued, validity, last, end) => {
  test(`ends with ${last}, and every protocol changes with the clock`, { timeout: 60_000 }, async () => {
    const service = await startTestService({
      beside: academy.service,
      signs: true,
      settings: { TIME_ZONE: zone, DATABASE_URL: moved.url },
    });
    try {
      await moveTo(issued);
      await academy.configurations.updateCredentialConfiguration({
        credentialConfiguration: { id: academy.configurationId, customOptions: { validity } },
      });
      const username = `${zone} ${issued}`.replace(/\W/g, ".");
      await academy.enrol(username);
      const staff = service.client(
        CredentialService,
        await tokenOf({ username: "registrar", isStaff: true }),
      );
      const { configurationId } = academy;
      const { uuid } = await staff.issueCredential({ configurationId, username });
      await academy.generate(uuid);
      const credential = await staff.getCredential({ uuid });
      expect(iso(credential.createTime)).toBe(issued);
      expect(iso(credential.expireTime)).toBe(end);

      const transports = await transportsTo(service, credential, staff);
      const reported = async () =>
        Object.fromEntries(
          await Promise.all(
            Object.entries(transports).map(
              async ([transport, request]) => [transport, await request()] as const,
            ),
          ),
        );
      await moveTo(new Date(Date.parse(end) - 1));
      expect(await reported()).toEqual(
        Object.fromEntries(Object.keys(transports).map((transport) => [transport, false])),
      );
      await moveTo(end);
      // A look-up may be cached for some milliseconds.
      await expect
        .poll(reported, { timeout: 1000, interval: 100 })
        .toEqual(Object.fromEntries(Object.keys(transports).map((transport) => [transport, true])));
      const answer = await fetch(
        `${service.httpUrl}/api/learning_credentials/v1/metadata/${credential.verifyUuid}/`,
      );
      expect(await answer.json()).toMatchObject({ invalidation_reason: `Expired on ${last}.` });
    } finally {
      await service.stop();
    }
  });
});

const iso = (moment: { seconds: bigint } | undefined) =>
  new Date(Number(moment?.seconds) * 1000).toISOString().replace(".000", "");
