import { beforeAll, expect, test } from "vitest";
import { COURSE, givenAcademy } from "../support/academy.js";
import { type Ended, ended, startCommand } from "./run-command.js";

const academy = givenAcademy();
beforeAll(async () => {
  const { credentials, configurationId } = academy;
  await academy.enrol("ana", "ben");
  const { uuid } = await credentials.issueCredential({ configurationId, username: "ana" });
  await academy.generate(uuid);
  await credentials.issueCredential({ configurationId, username: "ben" });
  await academy.enrol("cy", "dee");
  for (const [username, validUntil] of [
    ["cy", "2020-05-21T00:00:00Z"], // in UTC, the last valid day is the 20th
    ["dee", "2999-01-01T00:00:00Z"],
  ]) {
    const { uuid } = await credentials.issueCredential({ configurationId, username: username ?? "" });
    await academy.generate(uuid);
    await academy.service.app.database
      .knex("credentials")
      .where({ uuid })
      .update({ created_at: "2018-01-01T00:00:00Z", valid_until: validUntil });
  }
});

const print = (...args: string[]): Promise<Ended> =>
  ended(startCommand(academy.service, ["credentials", ...args]));

test.each<[args: string[], usernames: string[]]>([
  [[], ["ana", "ben", "cy", "dee"]],
  [["--username", "ana"], ["ana"]],
  [["--status", "generating"], ["ben"]],
  [
    ["--context", COURSE, "--configuration", "1", "--status", "available"],
    ["ana", "cy", "dee"],
  ],
  [["--configuration", "2"], []],
  [["--expired"], ["cy"]],
  [["--expires-before", "2020-05-21"], ["cy"]],
  [["--expires-before", "2020-05-20"], []],
  [
    ["--expires-before", "2999-01-01", "--status", "available"],
    ["cy", "dee"],
  ],
])("%j", async (args, usernames) => {
  const { code, out, err } = await print(...args);
  const printed = out.split("\n").filter(Boolean);
  expect([code, err, printed.map((line) => JSON.parse(line).username)]).toEqual([0, "", usernames]);
});

test.each([
  [["--status", "lost"], "Allowed choices are generating, available, error, invalidated."],
  [["--expires-before", "2027-02-29"], "It must be a day, such as 2027-01-01."],
  [["--context", "x"], 'Invalid learning context key: "x".'],
])("%j is refused", async (args, reason) => {
  const { code, out, err } = await print(...args);
  expect([code, out, err]).toEqual([1, "", expect.stringContaining(reason)]);
});
