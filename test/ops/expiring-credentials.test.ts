import { expect, test } from "vitest";
import { givenAcademy } from "../support/academy.js";

const academy = givenAcademy({ settings: { ADMIN_PORT: "0" } });

test("metrics count the credentials that expire soon, and have no successor", async () => {
  const { app } = academy.service;
  const { credentials, configurationId } = academy;
  const validFor = {
    today: "2 hours",
    soon: "13 days",
    later: "59 days",
    "next.year": "1 year",
    over: "-1 hour",
    renewed: "5 days",
    withdrawn: "5 days",
    forever: null,
  };
  await academy.enrol(...Object.keys(validFor));
  for (const [username, period] of Object.entries(validFor)) {
    const { uuid } = await credentials.issueCredential({ configurationId, username });
    await academy.generate(uuid);
    await app.database.knex.raw(
      `update credentials set created_at = date_trunc('second', now() - interval '2 years'),
         valid_until = now() + cast(? as interval), renewed_at = case when username = 'renewed' then now() end
       where uuid = ?`,
      [period, uuid],
    );
    if (username === "withdrawn") await academy.invalidate(uuid);
  }
  const counted = [...(await app.metrics.text()).matchAll(/credentials_expiring\{days="(\d+)"\} (\d+)/g)];
  expect(counted.map(([, days, count]) => [days, count])).toEqual([
    ["1", "1"],
    ["14", "2"],
    ["60", "3"],
  ]);
});
