import { expect, it } from "vitest";
import { matchesUsername } from "#console/learners/matches-username.js";

it.each([
  ["ana", "ana", true],
  [" ana ", "ana", true],
  ["ana", " ana ", true],
  ["ana", "ana\u00a0", true],
  ["ana k", "ana  k", true],
  ["", "ana", false],
  ["anak", "ana k", false],
  ["Ana", "ana", false],
])("typing %j for the username %j: %s", (typed, username, matches) => {
  expect(matchesUsername(typed, username)).toBe(matches);
});
