import { expect, test } from "vitest";
import { acts } from "#api/pipeline/recorded-act.js";
import { ChangeKind } from "#gen/learning_credentials/options/v1/options_pb.js";
import { readCommands } from "../main/read-commands.js";

test("each command's dry run is recorded under its own name, as changing nothing", async () => {
  const { commands } = await readCommands();
  const expected = [...commands]
    .filter(([, options]) => options.has("--dry-run"))
    .map(([name]) => [`${name} --dry-run`, ChangeKind.UNSPECIFIED]);
  const recorded = Object.entries(acts).filter(([name]) => name.endsWith("--dry-run"));
  expect(recorded.sort()).toEqual(expected.sort());
  expect(recorded.length).toBeGreaterThan(5);
});
