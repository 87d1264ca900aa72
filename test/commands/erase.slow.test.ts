import { expect, it, vi } from "vitest";
import { givenAcademy } from "../support/academy.js";
import { type Ended, ended, startCommand } from "./run-command.js";

/** Each test starts several processes. */
vi.setConfig({ testTimeout: 240_000 });

const academy = givenAcademy();

const erase = (...args: string[]): Promise<Ended> => ended(startCommand(academy.service, ["erase", ...args]));

it("lists a learner's data, and removes it", async () => {
  const { credentials, configurationId } = academy;
  await academy.enrol("ana");
  const { uuid } = await credentials.issueCredential({ configurationId, username: "ana" });
  const found = (status: string, done: string) =>
    [
      `credential ${uuid}, ${status}: Certificate in course-v1:Uni+C1+2026`,
      "learners: 1",
      "enrollments: 1",
      "subsection grades: 1",
      "completions: 0",
      "course grades: 0",
      "credentials: 1",
      "files: 0",
      "entries that name the learner as an actor: 0",
      `${done}\n`,
    ].join("\n");
  const listed = await erase("ana", "--dry-run");
  expect(listed).toMatchObject({
    code: 0,
    out: found("generating", "nothing was changed: this would be erased"),
  });
  expect((await credentials.getCredential({ uuid })).username).toBe("ana");

  expect(await erase("ana")).toMatchObject({ code: 0, out: found("generating", "removed") });
  expect(await credentials.getCredential({ uuid })).toMatchObject({
    username: expect.stringMatching(/^erased-/),
    userFullName: "",
  });
  expect(listed.err).not.toMatch(/Learner ana|"ana"/);
});

it("exits with 1 for an unknown learner", async () => {
  const { code, out, err } = await erase("nobody");
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain('There is no learner named "nobody".\n');
});
