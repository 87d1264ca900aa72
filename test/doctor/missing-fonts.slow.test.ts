import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { createAssetDeps, uploadAsset } from "#domain/configurations/manage-assets.js";
import { missingScripts, optionalScripts } from "#formats/rendering/text/optional-fonts.js";
import { checkFonts } from "#runtime/doctor/check-fonts.js";
import { fontOf } from "../assets/inspection/make-font.js";
import { namesByScript } from "../rendering/text/scripts.js";
import { COURSE, givenAcademy } from "../support/academy.js";
import { enrolled } from "../support/records.js";

const academy = givenAcademy();
beforeAll(async () => {
  for (const [index, [, fullName]] of namesByScript.entries()) {
    const username = `learner-${index}`;
    await academy.enrol(username);
    await academy.report({ case: "learner", value: { username, fullName } });
  }
});

/** Returns the findings of `doctor` if the fonts of these scripts are not installed. */
async function found(lacking = optionalScripts): Promise<string[]> {
  const details: string[] = [];
  for await (const { kind, detail } of checkFonts(academy.service.app, lacking)) {
    expect(kind).toBe("missing-fonts");
    details.push(detail);
  }
  return details;
}

const one = (script: string, learners = "1 enrolled learner", credentials = "0 credentials") =>
  `${script}: the names of ${learners} and ${credentials} in force`;

test("the optional scripts are those whose packages are peer dependencies, and a checkout has all", async () => {
  const { peerDependencies } = JSON.parse(
    await readFile(join(import.meta.dirname, "../../package.json"), "utf8"),
  );
  const peers = Object.keys(peerDependencies).filter((name) => name.startsWith("@expo-google-fonts/"));
  const packages = optionalScripts.flatMap((script) =>
    script.packages.map((name) => `@expo-google-fonts/${name}`),
  );
  expect(packages.sort()).toEqual(peers.sort());
  expect(missingScripts()).toEqual([]);
});

test("the names of enrolled learners are counted for each missing script, and for no other", async () => {
  // A Japanese name also contains Chinese characters.
  const expected = optionalScripts.map(({ name }) =>
    one(name, name === "Chinese" ? "2 enrolled learners" : "1 enrolled learner"),
  );
  expect((await found()).sort()).toEqual(expected.sort());
  expect(await found([])).toEqual([]);
  expect(await found(optionalScripts.filter(({ name }) => name === "Khmer"))).toEqual([one("Khmer")]);
});

test("valid credentials are included; learners who have left and scripts of uploaded fonts aren't", async () => {
  const telugu = optionalScripts.filter(({ name }) => name === "Telugu");
  const username = `learner-${namesByScript.findIndex(([script]) => script === "Telugu")}`;
  const { uuid } = await academy.issue(username);
  expect(await found(telugu)).toEqual([one("Telugu", "1 enrolled learner", "1 credential")]);
  await academy.withdraw(enrolled(username, COURSE));
  expect(await found(telugu)).toEqual([one("Telugu", "0 enrolled learners", "1 credential")]);

  const bytes = fontOf("noto-serif-telugu/400Regular/NotoSerifTelugu_400Regular.ttf");
  const upload = { slug: "telugu", bytes, uploadedBy: "registrar" };
  await uploadAsset(createAssetDeps(academy.service.app), upload, new AbortController().signal);
  expect(await found(telugu)).toEqual([]);
  await academy.configurations.deleteAsset({ slug: "telugu" });
  await academy.invalidate(uuid);
  expect(await found(telugu)).toEqual([]);
});
