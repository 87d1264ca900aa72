import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, it, vi } from "vitest";
import { COURSE, givenAcademy } from "../support/academy.js";
import { newDirectory } from "../support/directory.js";
import { countOf, line, PDF, startImport, writeLines } from "./issued-elsewhere.js";
import { type Ended, ended } from "./run-command.js";

/** Each test starts several processes. */
vi.setConfig({ testTimeout: 240_000 });

const academy = givenAcademy();
/** Working directory of the command. Each test has a new one. */
let directory: string;
beforeEach(async () => {
  directory = newDirectory("import");
});

const start = (...args: string[]) => startImport(academy, directory, ...args);

async function importing(lines: readonly object[], ...args: string[]): Promise<Ended> {
  await writeLines(directory, lines);
  return ended(start(...args));
}

it("imports files in base64", async () => {
  const lines = [
    line("base64"),
    line("base64", {
      status: "CREDENTIAL_STATUS_INVALIDATED",
      invalidation_reason: "Issued in error.",
      invalidated: "2020-01-01T00:00:00Z",
    }),
  ];
  expect(await importing(lines)).toMatchObject({ code: 0, out: "2 imported, 0 unchanged, 0 rejected\n" });
  const { credentials } = await academy.credentials.listCredentials({ username: "base64" });
  expect(credentials).toHaveLength(2);
});

it("imports files of a directory, and reads none outside it", async () => {
  await mkdir(join(directory, "pdfs/2019"), { recursive: true });
  await writeFile(join(directory, "pdfs/2019/a.pdf"), PDF);
  await writeFile(join(directory, "secret.pdf"), PDF);
  const good = line("named", { file: "2019/a.pdf" });
  const bad = ["../secret.pdf", join(directory, "secret.pdf"), ".", "2019", "2019/b.pdf", 7].map((file) =>
    line("never", { file }),
  );
  const misspelt = line("never", { user_name: "x", file: "2019/a.pdf" });
  const { code, out } = await importing([...bad, misspelt, good], "--files", "pdfs", "--skip-invalid");
  expect({ code, out }).toEqual({
    code: 1,
    out: "1 imported, 0 unchanged, 7 rejected\nrejected credentials and reasons: issued.ndjson.rejects.ndjson\n",
  });
  const rejects = await readFile(join(directory, "issued.ndjson.rejects.ndjson"), "utf8");
  const reasons = rejects
    .trimEnd()
    .split("\n")
    .map((reject) => JSON.parse(reject).reason.replace(/^line \d+ \([0-9a-f-]{36}\): /, ""));
  const outside = expect.stringMatching(/^file is ".*", which is not in the directory that --files names\.$/);
  const unreadable = expect.stringMatching(/^file "2019.*" can't be read: /);
  const unknown = expect.stringMatching(/^It is not a credential: .*key "user_name" is unknown\.$/);
  expect(reasons).toEqual([
    outside,
    outside,
    outside,
    unreadable,
    unreadable,
    "file must be a string with the path of a file.",
    unknown,
  ]);
  expect(await countOf(academy, "named")).toEqual({ rows: 1, files: 1 });
});

it("stops at the first credential that can't be imported, and names it", async () => {
  const unknown = line("stopped", { credential_type: "Diploma" });
  const { code, out, err } = await importing([line("before"), unknown, line("after")]);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain(
    `line 3 (${unknown.verify_uuid}): ${unknown.verify_uuid} can't be imported: there is no credential type named ` +
      `"Diploma": create it, and a configuration of it for ${COURSE}. 1 credential before it is imported. Correct it and import the file again.\n`,
  );
  expect(await countOf(academy, "before")).toEqual({ rows: 1, files: 1 });
  expect(await countOf(academy, "after")).toEqual({ rows: 0, files: 0 });
});
