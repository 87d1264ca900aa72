import { beforeAll, expect, test } from "vitest";
import { givenAcademy } from "../../support/academy.js";
import { refusal } from "../../support/refusal.js";

const academy = givenAcademy();
beforeAll(async () => {
  await academy.enrol("ana", "ben");
});

/** @returns the code and message with which the link is refused */
const refused = (uuid: string, replacementUuid: string) =>
  refusal(academy.credentials.linkReplacement({ uuid, replacementUuid }));

test("a withdrawn credential leads to the one that replaced it", async () => {
  const { credentials, service } = academy;
  const old = await academy.made("ana");
  const others = await academy.made("ben");
  expect(await refused(old.uuid, others.uuid)).toBe(
    "FailedPrecondition: The credential is available: only an invalidated credential can be marked as replaced.",
  );
  await academy.invalidate(old.uuid);
  expect(await refused(old.uuid, others.uuid)).toBe(
    "FailedPrecondition: The replacement belongs to another learner: only a credential of the same learner can be linked.",
  );
  expect(await refused(old.uuid, old.uuid)).toBe(
    "FailedPrecondition: The replacement is invalidated: only an available one can be linked.",
  );
  const page = async () => (await fetch(`${service.httpUrl}/verify/${old.verifyUuid}/?lang=en`)).text();
  const later = await academy.made("ana");
  expect(await page()).not.toContain(later.verifyUuid);

  const links = await Promise.all(
    Array.from({ length: 5 }, () =>
      credentials.linkReplacement({ uuid: old.uuid, replacementUuid: later.uuid }),
    ),
  );
  expect(new Set(links.map(({ replacedByUuid }) => replacedByUuid))).toEqual(new Set([later.uuid]));
  expect(await page()).toContain(`../${later.verifyUuid}/`);
  expect((await credentials.getCredential({ uuid: later.uuid })).replacesUuid).toBe(old.uuid);
  const { rows } = await service.app.database.knex.raw(
    `select type from credential_events where credential_uuid = :uuid and type = 'reissued'
     union all select type from unsealed_credential_events where credential_uuid = :uuid and type = 'reissued'`,
    { uuid: old.uuid },
  );
  expect(rows).toHaveLength(1);

  const other = await academy.made("ben");
  await academy.invalidate(other.uuid);
  await academy.invalidate(later.uuid);
  const last = await academy.made("ana");
  expect(await refused(old.uuid, last.uuid)).toBe(
    `FailedPrecondition: The credential was already replaced, by ${later.uuid}.`,
  );
  await credentials.linkReplacement({ uuid: later.uuid, replacementUuid: last.uuid });
  expect(await refused(other.uuid, (await academy.made("ben")).uuid.replace(/.$/, "x"))).toBe(
    "NotFound: Credential not found.",
  );
});
