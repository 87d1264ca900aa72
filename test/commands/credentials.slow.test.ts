import { afterAll, beforeAll, expect, test } from "vitest";
import { type Academy, COURSE, openAcademy } from "../credentials/academy.js";
import { type Ended, ended, startCommand } from "./run-command.js";

let academy: Academy;
beforeAll(async () => {
  academy = await openAcademy();
  const { credentials, configurationId } = academy;
  await academy.enrol("ana", "ben");
  const { uuid } = await credentials.issueCredential({ configurationId, username: "ana" });
  await academy.generate(await academy.idOf(uuid));
  await credentials.issueCredential({ configurationId, username: "ben" });
});
afterAll(() => academy.service.stop());

const print = (...args: string[]): Promise<Ended> =>
  ended(startCommand(academy.service, ["credentials", ...args]));

test.each<[args: string[], usernames: string[]]>([
  [[], ["ana", "ben"]],
  [["--username", "ana"], ["ana"]],
  [["--status", "generating"], ["ben"]],
  [["--context", COURSE, "--configuration", "1", "--status", "available"], ["ana"]],
  [["--configuration", "2"], []],
])("%j", async (args, usernames) => {
  const { code, out, err } = await print(...args);
  const printed = out.split("\n").filter(Boolean);
  expect([code, err, printed.map((line) => JSON.parse(line).username)]).toEqual([0, "", usernames]);
});

test.each([
  [["--status", "lost"], "Allowed choices are generating, available, error, invalidated."],
  [["--context", "x"], 'Invalid learning context key: "x".'],
])("%j is refused", async (args, reason) => {
  const { code, out, err } = await print(...args);
  expect([code, out, err]).toEqual([1, "", expect.stringContaining(reason)]);
});
