import { isUtf8 } from "node:buffer";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { type InputLine, readLines } from "#app/commands/read-lines.js";
import { givenDatabase } from "../support/database.js";
import { newDirectory } from "../support/directory.js";
import { type Ended, ended, startOn } from "./run-command.js";

const COURSE = "course-v1:Uni+C1+2026";

/** Each test starts several processes. */
vi.setConfig({ testTimeout: 240_000 });

const db = givenDatabase();
/** Working directory of the command. Each test has a new one. */
let directory: string;

beforeEach(async () => {
  directory = newDirectory("import");
  await db.database.knex.raw(
    "truncate learners, courses, learning_paths, enrollments, subsection_grades, completions",
  );
});

/** Starts `learning-credentials import` with these arguments. */
const start = (...args: string[]) =>
  startOn({ DATABASE_URL: db.url, DATA_DIR: directory }, ["import", ...args]);

function importing(input: string | Uint8Array, ...args: string[]): Promise<Ended> {
  const child = start("-", ...args);
  child.stdin.end(input);
  return ended(child);
}

const learner = (username: string) =>
  JSON.stringify({ learner: { username, fullName: "Ana" }, observedAt: "2026-01-15T12:00:00Z" });
const learners = (count: number) => Array.from({ length: count }, (_, index) => learner(`u${index}`));

async function usernames(): Promise<string[]> {
  const { rows } = await db.database.knex.raw("select username from learners order by username");
  return rows.map((row: { username: string }) => row.username);
}

const readRejects = async (file: string) =>
  (await readFile(join(directory, file), "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("import", () => {
  it("imports a file in either spelling of names, and changes nothing the second time", async () => {
    const moment = { observed_at: "2026-01-15T12:00:00.123456Z" };
    const lines = [
      { learner: { username: "ana", full_name: "Ana Kovač", is_active: false }, ...moment },
      { learner: { username: "ben", fullName: "Ben", isActive: true }, observedAt: moment.observed_at },
      {
        course: {
          course_key: COURSE,
          displayName: "One",
          grading_policy: [{ assignmentType: "Exam", weight: 0.5 }],
        },
        ...moment,
      },
      {
        learning_path: { path_key: "path-v1:U+P+1+a", display_name: "P", step_course_keys: [COURSE] },
        ...moment,
      },
      { enrollment: { username: "ana", learning_context_key: COURSE }, ...moment },
      {
        subsectionGrade: {
          username: "ana",
          courseKey: COURSE,
          usageKey: "u",
          assignmentType: "Exam",
          earned: 1,
          possible: 2,
        },
        ...moment,
      },
      { completion: { username: "ana", course_key: COURSE, percent: 1 }, deleted: true, ...moment },
    ];
    const ndjson = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    await writeFile(join(directory, "all.ndjson"), ndjson);
    const first = await ended(start("all.ndjson"));
    expect(first).toEqual({
      code: 0,
      out: "7 written, 0 unchanged, 0 rejected\n",
      err: `line 3: warning: ${COURSE}: the weights of the grading policy sum to 0.5, not to 1.\n`,
    });
    const { rows } = await db.database.knex.raw(
      "select full_name, is_active from learners order by username",
    );
    expect(rows).toEqual([
      { full_name: "Ana Kovač", is_active: false },
      { full_name: "Ben", is_active: true },
    ]);
    expect(await importing(ndjson)).toMatchObject({ code: 0, out: "0 written, 7 unchanged, 0 rejected\n" });
  });

  it("accepts a byte order mark, Windows line ends, blank lines, and a last line without an end", async () => {
    const input = `\ufeff${learner("a")}\r\n\n  \n\r\n${learner("b")}\n\n${learner("c")}`;
    expect(await importing(input)).toEqual({ code: 0, out: "3 written, 0 unchanged, 0 rejected\n", err: "" });
    expect(await usernames()).toEqual(["a", "b", "c"]);
  });

  it("requires the encoding of a table that is not in UTF-8, and reports what it leaves out", async () => {
    const name = Buffer.from("a3756b61737a20aff3b3e6", "hex"); // Łukasz Żółć in Windows-1250
    const rows = [`Summer term\n\nlearner;course;full_name;Points\nu0;${COURSE};`, ";12\nAverage;;;12\n"];
    await writeFile(
      join(directory, "a.csv"),
      Buffer.concat([Buffer.from(rows[0] ?? ""), name, Buffer.from(rows[1] ?? "")]),
    );
    const received = await ended(start("a.csv", "--ignore-other-columns"));
    expect(received.code).toBe(1);
    expect(received.err).toContain("--encoding windows-1250: Łukasz Żółć");
    expect(await usernames()).toEqual([]);

    const unknown = await ended(start("a.csv", "--encoding", "cp850"));
    expect(unknown.err).toContain('--encoding is "cp850"; it must be one of utf-8,');

    const { out, err } = await ended(start("a.csv", "--ignore-other-columns", "--encoding", "cp1250"));
    expect(out).toContain("2 written");
    expect(err).toContain("a.csv: the headings are in line 3; the lines above it were left out.");
    expect(err).toContain('a.csv: columns left out: "Points".');
    expect(err).toContain("a.csv: line 5 is a sum or an average, and was left out: Average;;;12");
    expect(await db.database.knex("learners").pluck("full_name")).toEqual(["Łukasz Żółć"]);
  });

  it("imports nothing from empty input", async () => {
    expect(await importing("")).toEqual({ code: 0, out: "0 written, 0 unchanged, 0 rejected\n", err: "" });
  });

  it("stops at the first invalid record: earlier batches are kept, and nothing of the record's own batch is written", async () => {
    const lines = learners(2500);
    lines[1799] = `{"completion": {"username": "ana", "courseKey": "${COURSE}", "percent": 85}}`;
    const { code, out, err } = await importing(lines.join("\n"));
    expect({ code, out, err }).toEqual({
      code: 1,
      out: "",
      err:
        'line 1800 (completion "ana"): completion.percent is 85; it must be a number from 0 to 1. ' +
        "1000 records before it are imported. Correct it and import the file again.\n",
    });
    expect(await usernames()).toHaveLength(1000);
    lines[1799] = "";
    expect(await importing(lines.join("\n"))).toMatchObject({
      code: 0,
      out: "1499 written, 1000 unchanged, 0 rejected\n",
    });
  });

  it("reports the first of several invalid lines, whatever their errors", async () => {
    const { err } = await importing(
      Buffer.concat([Buffer.from(`${learner("a")}\n{}\n`), Buffer.from([0xff, 0x0a])]),
    );
    expect(err).toMatch(
      /^line 2: The record is empty: set one of .* Correct it and import the file again\.\n$/,
    );
    expect(await usernames()).toEqual([]);
  });

  /** Invalid lines, each with the message that follows its number. */
  const badLines: [string | Uint8Array, RegExp][] = [
    ["not JSON", /^: It is not a record: .*not valid JSON.*\.$/],
    [
      '{"learner": {"username": "a", "username": "b"}}',
      /^ \(learner "b"\): It is not a record: duplicate object key "username"\.$/,
    ],
    [
      '{"observed_at": "2026-01-01T00:00:00Z", "observedAt": "2026-01-02T00:00:00Z", "learner": {"username": "a"}}',
      /^ \(learner "a"\): It is not a record: .*key "observedAt" is unknown\.$/,
    ],
    ["[]", /^: It is not a record: /],
    ["null", /^: It is not a record: /],
    ['{"learner": {"username": "a"}} {}', /^: It is not a record: /],
    [
      '{"lerner": {"username": "ana"}}',
      /^ \(lerner "ana"\): It is not a record: .*key "lerner" is unknown\.$/,
    ],
    [
      '{"learner": {"username": "ana", "fullname": "A"}}',
      /^ \(learner "ana"\): It is not a record: .*key "fullname" is unknown\.$/,
    ],
    [
      '{"learner": {"username": "a"}, "course": {}}',
      /^ \(learner "a"\): It is not a record: .*set multiple times/,
    ],
    ['{"learner": {"username": "\\ud800"}}', /^ \(learner "\\ud800"\): It is not a record: .*invalid UTF8/],
    [
      '{"completion": {"username": "a", "courseKey": "c", "percent": "many"}}',
      /^ \(completion "a"\): It is not a record: /,
    ],
    [
      `{"observedAt": null, "completion": {"courseKey": "${COURSE}", "percent": 1}}`,
      /^ \(completion ".*"\): completion\.username is empty\.$/,
    ],
    [
      '{"learner": {"username": "a"}, "observedAt": "yesterday"}',
      /^ \(learner "a"\): It is not a record: .*RFC 3339/,
    ],
    ['{"learner": null}', /^: The record is empty/],
    [
      `{"learner": {"username": "${"x".repeat(100_000)}"}}`,
      /^ \(learner "x{100}…"\): learner\.username has 100000 characters/,
    ],
    [
      `{"${"k".repeat(100_000)}\u009b": {"username": "a\\u001b[2J"}}`,
      /^ \(k{100}… "a\\u001b\[2J"\): It is not a record: .{0,400}$/,
    ],
    [Buffer.from([0x7b, 0xff, 0x7d]), /^: it is not UTF-8\.$/],
    [Buffer.from(`{"learner": {"username": "\u{10ffff}`, "latin1"), /^: it is not UTF-8\.$/],
    ["x".repeat(1024 * 1024 + 1), /^: it is longer than 1048576 bytes\.$/],
    [`{"learner": {"username": "${"y".repeat(5_000_000)}"}}`, /^: it is longer than 1048576 bytes\.$/],
  ];

  it("continues past invalid lines if requested, and saves them with their errors", async () => {
    const good = learners(badLines.length);
    const newline = Buffer.from("\n");
    const input = badLines.flatMap(([bad], index) => [
      Buffer.from(good[index] ?? ""),
      newline,
      Buffer.from(bad),
      newline,
    ]);
    await writeFile(join(directory, "mixed.ndjson"), Buffer.concat(input));
    const { code, out, err } = await ended(start("mixed.ndjson", "--skip-invalid"));
    expect(out).toBe(
      `${good.length} written, 0 unchanged, ${badLines.length} rejected\nrejected records and reasons: mixed.ndjson.rejects.ndjson\n`,
    );
    expect({ code, err }).toEqual({ code: 1, err: "" });
    expect(await usernames()).toHaveLength(good.length);
    const rejects = await readRejects("mixed.ndjson.rejects.ndjson");
    expect(rejects.map(({ line }) => line)).toEqual(badLines.map((_, index) => 2 * index + 2));
    for (const [index, [bad, reason]] of badLines.entries()) {
      const number = `line ${2 * index + 2}`;
      expect(rejects[index].reason.slice(0, number.length)).toBe(number);
      expect(rejects[index].reason.slice(number.length)).toMatch(reason);
      const { record, text } = rejects[index];
      if (text === undefined) expect(record).toEqual(JSON.parse(String(bad)));
      else if (typeof bad === "string" && bad.length <= 1024 * 1024) expect(text).toBe(bad);
      else expect(bad.toString()).toContain(text.replace(/\ufffd.*$/s, ""));
    }
  });

  it("saves a rejected record unchanged, ready to be corrected and imported", async () => {
    const twice = '{"learner": {"username": "a", "email": "x", "email": 1.00}}';
    await writeFile(join(directory, "bad.ndjson"), `${twice}  \n`);
    expect(await ended(start("bad.ndjson", "--skip-invalid"))).toMatchObject({ code: 1, err: "" });
    const rejects = await readFile(join(directory, "bad.ndjson.rejects.ndjson"), "utf8");
    expect(rejects.slice(rejects.indexOf(',"record"'))).toBe(`,"record":${twice}}\n`);
    expect(JSON.parse(rejects)).toMatchObject({ line: 1, record: { learner: { username: "a" } } });
  });

  it("writes no file of rejects if nothing is rejected", async () => {
    await writeFile(join(directory, "good.ndjson"), learner("a"));
    expect(await ended(start("good.ndjson", "--skip-invalid"))).toMatchObject({ code: 0, err: "" });
    expect(await readdir(directory)).toEqual(["good.ndjson"]);
  });

  it.each<[string, string[], RegExp]>([
    [
      "a file of rejects that already exists",
      ["in.ndjson", "--skip-invalid", "--rejects", "old.ndjson"],
      /^old\.ndjson already exists: move it, or name another file with --rejects\.\n$/,
    ],
    [
      "the input as the file of rejects",
      ["in.ndjson", "--skip-invalid", "--rejects", "in.ndjson"],
      /^in\.ndjson already exists/,
    ],
    [
      "a file of rejects where none can be",
      ["in.ndjson", "--skip-invalid", "--rejects", "no/such/file"],
      /^no\/such\/file can't be written: ENOENT/,
    ],
    [
      "a file of rejects without --skip-invalid",
      ["in.ndjson", "--rejects", "new.ndjson"],
      /^--rejects needs --skip-invalid/,
    ],
    ["a file that is not there", ["nothing.ndjson"], /^nothing\.ndjson can't be read: ENOENT/],
    ["a directory", ["folder"], /^folder can't be read: it is a directory\n$/],
  ])("refuses %s, and writes nothing", async (_, args, message) => {
    await writeFile(join(directory, "in.ndjson"), `${learner("a")}\n{}\n`);
    await writeFile(join(directory, "old.ndjson"), "dear to somebody");
    await mkdir(join(directory, "folder"));
    const { code, out, err } = await ended(start(...args));
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(message);
    expect(err).not.toMatch(/\n {4}at /);
    expect((await readdir(directory)).sort()).toEqual(["folder", "in.ndjson", "old.ndjson"]);
    expect(await readFile(join(directory, "in.ndjson"), "utf8")).toBe(`${learner("a")}\n{}\n`);
    expect(await readFile(join(directory, "old.ndjson"), "utf8")).toBe("dear to somebody");
    expect(await usernames()).toEqual([]);
  });

  it("ends at an invalid line even if the input continues", async () => {
    const child = start("-");
    const end = ended(child);
    child.stdin.write(`${learners(999).join("\n")}\n{}\n`);
    expect(await end).toMatchObject({ code: 1, err: expect.stringContaining("line 1000") });
  });

  it("shows its progress in plain lines, and ends when interrupted while it waits for input", async () => {
    const child = start("-");
    const end = ended(child);
    const lines = learners(2500).map((line) => `${line}\n`);
    child.stdin.write(lines.slice(0, 1000).join(""));
    while ((await usernames()).length < 1000) await sleep(20);
    await sleep(5_100);
    child.stdin.write(lines.slice(1000).join(""));
    while ((await usernames()).length < 2000) await sleep(20);
    child.kill("SIGINT");
    const { code, err } = await end;
    expect(code).toBe(130);
    expect(err).toMatch(
      /^importing: 2000 records\n2000 records are imported so far\.\ninterrupted by SIGINT/,
    );
    expect(await usernames()).toHaveLength(2000);
  });
});

describe("the lines of an input", () => {
  it("are the same however the input is split; only a line that is too long or not UTF-8 is an error", async () => {
    const max = 8;
    const byte = fc.oneof(
      fc.constantFrom(0x0a, 0x61),
      fc.constantFrom(...Buffer.from("é\r \n")),
      fc.constant(0xff),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(byte, { maxLength: 6 })), async (pieces) => {
        const chunks = pieces.map((piece) => Uint8Array.from(piece));
        const read: InputLine[] = [];
        for await (const line of readLines(Readable.from(chunks), max)) read.push(line);
        const latin1 = Buffer.concat(chunks).toString("latin1").split("\n");
        if (latin1.at(-1) === "") latin1.pop();
        expect(read.map(({ number }) => number)).toEqual(latin1.map((_, index) => index + 1));
        for (const [index, line] of latin1.entries()) {
          const bytes = Buffer.from(line, "latin1");
          if (line.length > max) expect(read[index]?.problem).toBe("it is longer than 8 bytes.");
          else if (!isUtf8(bytes)) expect(read[index]?.problem).toBe("it is not UTF-8.");
          else expect(read[index]).toEqual({ number: index + 1, text: bytes.toString().replace(/\r$/, "") });
        }
      }),
      { numRuns: 500 },
    );
  });
});
