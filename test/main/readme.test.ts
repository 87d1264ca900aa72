import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ConfigurationService } from "../../gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialService } from "../../gen/learning_credentials/v1/credential_service_pb.js";
import { EligibilityService } from "../../gen/learning_credentials/v1/eligibility_service_pb.js";
import { LearnerRecordService } from "../../gen/learning_credentials/v1/learner_record_service_pb.js";
import { parseRecordLine } from "../../src/api/parse-record-line.js";
import { builtInProcessors } from "../../src/eligibility/processor.js";
import { readConfig, settingNames } from "../../src/settings/config.js";
import { ROOT } from "./program.js";

const readme = await readFile(join(ROOT, "README.md"), "utf8");

function section(title: string): string {
  const [, text] = new RegExp(`\\n## ${title}\\n([\\s\\S]*?)(?:\\n## |$)`).exec(readme) ?? [];
  if (text === undefined) throw new Error(`the README has no section ${title}`);
  return text;
}

const quoted = (cell = "") => /^ `([^`]*)` $/.exec(cell)?.[1];

test("each setting has a row with the default it really has, and an example that is accepted", () => {
  const rows = [...section("Settings").matchAll(/^\| `([A-Z0-9_]+)` \|[^|]*\|([^|]*)\|[^|]*\|([^|]*)\|$/gm)];
  expect(rows.map(([, name]) => name).sort()).toEqual([...settingNames].sort());

  const given = (column: number) =>
    Object.fromEntries(rows.map((row) => [row[1] ?? "", quoted(row[column])]));
  expect(readConfig(given(2))).toEqual(readConfig({}));
  const examples = given(3);
  expect(Object.values(examples)).not.toContain(undefined);
  expect(() => readConfig(examples)).not.toThrow();
});

test.each([CredentialService, ConfigurationService, EligibilityService, LearnerRecordService])(
  "the methods of $name are those that there are",
  ({ name, methods }) => {
    const [, cell = ""] = new RegExp(`^\\| \`${name}\` \\|(.*)\\|$`, "m").exec(section("gRPC API")) ?? [];
    const listed = [...cell.matchAll(/`(\w+)`/g)].map(([, method]) => method);
    expect(listed.sort()).toEqual(methods.map((method) => method.name).sort());
  },
);

test("the retrieval functions are those that there are", () => {
  const names = [...section("Configuring credentials").matchAll(/^\| `(retrieve_\w+)` \|/gm)].map(
    ([, name]) => `learning_credentials.processors.${name}`,
  );
  expect(names).toEqual(builtInProcessors.map(({ name }) => name));
});

test("the lines of the import example are records", () => {
  const [, example = ""] = /```json\n([\s\S]*?)```/.exec(section("Learner records")) ?? [];
  const kinds = example
    .trim()
    .split("\n")
    .map((line) => parseRecordLine(line).kind);
  expect(kinds).toEqual([
    "learner",
    "course",
    "enrollment",
    "subsectionGrade",
    "subsectionGrade",
    "completion",
  ]);
});

test("the scripts and files that it names exist", async () => {
  const { scripts } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const named = [...readme.matchAll(/`npm (?:run )?([a-z:]+)`/g)].map(([, name = ""]) => name);
  for (const name of named) expect(["ci", ...Object.keys(scripts)]).toContain(name);
  const paths = [
    ...[...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = ""]) => path),
    ...[...readme.matchAll(/`((?:src|test|proto|gen|\.ci)\/[\w./-]*)`/g)].map(([, path = ""]) => path),
  ];
  for (const path of paths) expect(existsSync(join(ROOT, path)), path).toBe(true);
});

test("the packages that it has readers add are those that this one goes with", async () => {
  const { peerDependencies, scripts } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  expect(readme).toContain("\nnpm run fonts\n");
  expect(scripts.fonts).toContain("startsWith('@expo-google-fonts/')");
  const others = Object.keys(peerDependencies).filter((name) => !name.startsWith("@expo-google-fonts/"));
  const added = [...readme.matchAll(/^npm install --no-save ((?:.*\\\n)*.*)$/gm)]
    .flatMap(([, names = ""]) => names.split(/[\s\\]+/))
    .map((name) => /^(@[^@]+)@?(.*)$/.exec(name) ?? []);
  expect(added.map(([, name]) => name).sort()).toEqual(others.sort());
  for (const [, name = "", version] of added) expect(["", peerDependencies[name]]).toContain(version);
});
