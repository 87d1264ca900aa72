import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { fromJson } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import {
  describeCredentialLine,
  parseImportedCredentialLine,
} from "#api/services/requests/parse-imported-credential-line.js";
import { describeRecordLine, parseRecordLine } from "#api/services/requests/parse-record-line.js";
import { readLines } from "#app/commands/read-lines.js";
import { Problem } from "#foundation/errors.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { RecordSchema } from "#gen/learning_credentials/v1/record_pb.js";
import { givenDirectory } from "../support/directory.js";
import { processorMs } from "../support/processor-time.js";
import { givenService, tokenOf } from "../support/service.js";
import { ended, startOn } from "./run-command.js";

vi.setConfig({ testTimeout: 240_000 });

/** `FUZZ_RUNS=50` runs fifty times as many cases; a failure prints its seed. */
const MORE = Number(process.env.FUZZ_RUNS ?? 1);
const COURSE = "course-v1:Uni+C1+2026";

const service = givenService();
const directory = givenDirectory("lines");

/** Matches a visible character. */
const seen = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]/u;

/** Returns a name as it is displayed: without direction controls, and with single spaces. */
const shown = (name: string) =>
  name
    .replaceAll(/[\p{Bidi_Control}\p{Noncharacter_Code_Point}]/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim();

/** Text that may be stored: not blank, and without control characters, lone surrogates or a leading byte order mark. */
const stored = fc
  .oneof(
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
    fc.string({ unit: "binary", minLength: 1, maxLength: 40 }),
    fc.constantFrom(
      "__proto__",
      "\\u0000",
      '"\\',
      "🎓".repeat(255),
      "a\u2028b",
      "'; drop table learners; --",
    ),
  )
  .filter(
    (text) =>
      text.isWellFormed() &&
      !/\p{Cc}/u.test(text) &&
      seen.test(text) &&
      !text.startsWith("\uFEFF") &&
      [...text].length <= 255,
  );
const points = fc.oneof(
  fc.double({ min: 0, max: 1e9, noNaN: true }),
  fc.constantFrom(0, -0, 5e-324, 0.1, 1e9, 999_999_999.999_999_9),
);
const possiblePoints = points.filter((it) => it === 0 || it >= 0.000001);

/** A valid line, and the row that the database contains after the import. */
interface Good {
  readonly json: (username: string) => string;
  readonly table: "learners" | "subsection_grades" | "completions";
  readonly row: Readonly<Record<string, unknown>>;
}
/** Writes JSON with every character escaped, or with none. */
const written = fc.constantFrom(
  (value: unknown) => JSON.stringify(value),
  (value: unknown) =>
    JSON.stringify(value).replaceAll(
      /[^\x20-\x7e]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    ),
);
const good: fc.Arbitrary<Good> = fc.oneof(
  fc.tuple(stored, fc.boolean(), fc.boolean(), written).map(
    ([fullName, isActive, isSnake, write]): Good => ({
      json: (username) =>
        `{"learner": {"username": ${write(username)}, ` +
        `"${isSnake ? "full_name" : "fullName"}": ${write(fullName)}, "${isSnake ? "is_active" : "isActive"}": ${isActive}}}`,
      table: "learners",
      row: { full_name: shown(fullName), is_active: isActive },
    }),
  ),
  fc.tuple(stored, points, possiblePoints, written).map(
    ([usageKey, earned, possible, write]): Good => ({
      json: (username) =>
        write({
          subsectionGrade: {
            username,
            courseKey: COURSE,
            usageKey,
            assignmentType: "Exam",
            earned,
            possible,
          },
        }),
      table: "subsection_grades",
      row: { usage_key: usageKey, earned: earned + 0, possible: possible + 0 },
    }),
  ),
  fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), written).map(
    ([percent, write]): Good => ({
      json: (username) => write({ completion: { username, course_key: COURSE, percent } }),
      table: "completions",
      row: { percent: percent + 0 },
    }),
  ),
);

const learnerNamed = (username: string) => `{"learner": {"username": ${username}}}`;
const completed = (percent: string) =>
  `{"completion": {"username": "x", "courseKey": "${COURSE}", "percent": ${percent}}}`;
/** A line that is invalid for any reason. */
const bad: fc.Arbitrary<Buffer> = fc.oneof(
  fc
    .constantFrom(
      ...[
        "{}",
        "[]",
        "null",
        "1",
        '"',
        '{"learner": null}',
        '{"learner": {}}',
        '{"learner": {"username": "x"}',
        "{}{}",
      ],
      ...['{"__proto__": {"learner": {"username": "x"}}}', '{"learner": {"username": "x", "__proto__": {}}}'],
      ...[
        '{"learner": {"username": "x", "username": "y"}}',
        '{"learner": {"username": "x", "fullName": "y", "full_name": "y"}}',
        '{"constructor": {"prototype": {}}}',
        '{"learner": {"username": "x"}, "course": {"course_key": "x"}}',
      ],
      ...[
        "[".repeat(200_000),
        `${'{"learner":'.repeat(50_000)}1${"}".repeat(50_000)}`,
        `${"[".repeat(50_000)}${"]".repeat(50_000)}`,
      ],
      ...['"\\u0000"', '"\\ud800"', '" "', "7", '""', `"${"x".repeat(256)}"`, '"a\\nb"', '{"a": 1}'].map(
        learnerNamed,
      ),
      ...["1e999", "-1e-9", "1.0000001", '"NaN"', '"Infinity"', "1e", "0x1", '"one"', "[0.5]"].map(completed),
      `{"deleted": 1, ${learnerNamed('"x"').slice(1)}`,
      `{"observedAt": "9999-12-31T00:00:00Z", ${learnerNamed('"x"').slice(1)}`,
    )
    .map((line) => Buffer.from(line)),
  fc
    .constantFrom("ff", "c3", "eda080", "f8", "c080")
    .map((hex) =>
      Buffer.concat([Buffer.from('{"learner": {"username": "'), Buffer.from(hex, "hex"), Buffer.from('"}}')]),
    ),
  good.map(({ json }) => Buffer.from(json("cut off").slice(0, -1))),
);

const anyBytes = fc
  .oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc
      .string({
        unit: fc.constantFrom(...'{}[]",:\\ult0e-. ', '"learner"', '"username"', "null", "1e9"),
        maxLength: 20,
      })
      .map((text) => Buffer.from(text)),
    fc.tuple(good, fc.nat(200), fc.uint8Array({ maxLength: 3 })).map(([{ json }, at, put]) => {
      const line = Buffer.from(json("changed"));
      return Buffer.concat([line.subarray(0, at), put, line.subarray(at + 1)]);
    }),
  )
  .map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 0x0a)));

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set([0, bytes.length, ...places.map((place) => place % (bytes.length + 1))])].sort(
    (a, b) => a - b,
  );
  return ends.slice(1).map((end, index) => bytes.subarray(ends[index], end));
}

describe("a line of any bytes", () => {
  const parsers = {
    "a record": (text: string) => parseRecordLine(text),
    "a credential": (text: string) => parseImportedCredentialLine(text, undefined),
    "a credential with a path": (text: string) =>
      parseImportedCredentialLine(text, async () => Buffer.from("%PDF-")),
  };
  const credential = fc
    .tuple(
      fc.constantFrom(
        "verify_uuid",
        "status",
        "created",
        "file",
        "invalidated",
        "legacyId",
        "username",
        "credential_type",
        "__proto__",
      ),
      fc.oneof(
        fc.jsonValue(),
        fc.constantFrom("CREDENTIAL_STATUS_INVALIDATED", "0001-01-01T00:00:00Z", "JVBERi0=", 2, "JVBERi0"),
      ),
    )
    .map(([name, value]) =>
      Buffer.from(
        JSON.stringify({
          verify_uuid: "f58a4a10-67c4-42c7-9081-22078fceac85",
          username: "ana",
          userFullName: "Ana",
          learning_context_key: COURSE,
          learningContextName: "One",
          credentialType: "Certificate",
          created: "2019-05-20T08:15:30.9Z",
          file: "JVBERi0xLjQ=",
        }).replace(/\}$/, `,${JSON.stringify(name)}:${JSON.stringify(value)}}`),
      ),
    );

  it.each(Object.entries(parsers))("is %s, or is refused with a reason", async (_, parse) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(anyBytes, bad, credential), { maxLength: 5 }),
        fc.array(fc.nat(), { maxLength: 5 }),
        async (all, places) => {
          const bytes = Buffer.concat(all.flatMap((line) => [line, Buffer.from("\n")]));
          let count = 0;
          for await (const { number, text, problem } of readLines(
            Readable.from(cut(bytes, places)),
            1024 * 1024,
          )) {
            expect(number).toBe(++count);
            const begun = process.cpuUsage();
            expect(typeof describeRecordLine(text) + typeof describeCredentialLine(text)).toBe(
              "stringstring",
            );
            try {
              if (problem === undefined) await parse(text);
            } catch (error) {
              expect(error).toBeInstanceOf(Problem);
              expect((error as Problem).message).toMatch(/^[^\n]{5,1500}$/);
            }
            expect(processorMs(begun)).toBeLessThan(1_000);
          }
          expect(count).toBe(all.length);
          expect(({} as Record<string, unknown>).learner).toBeUndefined();
        },
      ),
      { numRuns: 300 * MORE },
    );
  });
});

const lines = fc.array(fc.oneof({ weight: 3, arbitrary: good }, bad), { minLength: 30, maxLength: 120 });

/** Expects that the database contains the contents of all valid lines, and nothing else from these lines. */
async function expectRows(all: readonly (Good | Buffer)[], prefix: string): Promise<void> {
  const rows = new Map<string, Record<string, unknown>>();
  for (const table of ["learners", "subsection_grades", "completions"]) {
    for (const row of await service.app.database.knex(table).whereLike("username", `${prefix}%`)) {
      rows.set(`${table} ${row.username}`, row);
    }
  }
  const said = all.flatMap((line, index) =>
    Buffer.isBuffer(line) ? [] : [{ line, username: `${prefix}${index}` }],
  );
  expect([...rows.keys()].sort()).toEqual(
    said.map(({ line, username }) => `${line.table} ${username}`).sort(),
  );
  for (const { line, username } of said) {
    const row = rows.get(`${line.table} ${username}`) ?? {};
    const numbers = Object.entries(row).map(([name, value]) => {
      const isNumber = typeof line.row[name] === "number";
      return [name, isNumber ? Number(value) : value];
    });
    expect(Object.fromEntries(numbers)).toMatchObject(line.row);
  }
}

describe("an import of any lines", () => {
  let imports = 0;

  const start = (...args: string[]) =>
    startOn({ DATABASE_URL: service.app.database.url, DATA_DIR: directory }, ["import", ...args]);

  it("by the command stores each valid line exactly, and reports each invalid one by its number", {
    timeout: 120_000 * MORE,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(lines, fc.array(fc.nat(), { maxLength: 40 }), async (all, places) => {
        const prefix = `command ${++imports} `;
        const rejectsFile = `${imports}.rejects.ndjson`;
        const bytes = Buffer.concat(
          all.flatMap((line, index) => [
            Buffer.isBuffer(line) ? line : Buffer.from(line.json(`${prefix}${index}`)),
            Buffer.from(index % 7 === 0 ? "\r\n" : "\n"),
          ]),
        );
        const child = start("-", "--skip-invalid", "--rejects", rejectsFile);
        Readable.from(cut(bytes, places)).pipe(child.stdin);
        const { code, out, err } = await ended(child);
        const badNumbers = all.flatMap((line, index) => (Buffer.isBuffer(line) ? [index + 1] : []));
        expect(err).not.toMatch(/\n {4}at /);
        expect(out).toContain(
          `${all.length - badNumbers.length} written, 0 unchanged, ${badNumbers.length} rejected\n`,
        );
        expect(code).toBe(badNumbers.length > 0 ? 1 : 0);
        if (badNumbers.length > 0) {
          const rejects = (await readFile(join(directory, rejectsFile), "utf8"))
            .trimEnd()
            .split("\n")
            .map((line) => JSON.parse(line));
          expect(rejects.map(({ line }) => line)).toEqual(badNumbers);
        }
        await expectRows(all, prefix);
      }),
      { numRuns: 2 * MORE, endOnFailure: true }, // shrinking would start a process each time
    );
  });

  it("over gRPC stores each valid record exactly, and reports each invalid one by its position", {
    timeout: 60_000 * MORE,
  }, async () => {
    const records = service.client(
      LearnerRecordService,
      await tokenOf({ username: "lms", service: "write" }),
    );
    const wrong = fc.constantFrom(
      {},
      { learner: {} },
      { learner: { username: "a\u0000" } },
      { completion: { username: "x", courseKey: COURSE, percent: "NaN" } },
    );
    const messages = fc.array(fc.oneof({ weight: 3, arbitrary: good }, wrong), {
      minLength: 1,
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(messages, fc.integer({ min: 1, max: 20 }), async (all, batch) => {
        const prefix = `call ${++imports} `;
        const sent = all.map((each, index) =>
          fromJson(
            RecordSchema,
            "json" in each ? JSON.parse((each as Good).json(`${prefix}${index}`)) : each,
          ),
        );
        async function* requests() {
          for (let at = 0; at < sent.length; at += batch)
            yield { records: sent.slice(at, at + batch), skipInvalid: true };
        }
        const { summary, rejected } = await records.importRecords(requests());
        const wrongAt = all.flatMap((each, index) => ("json" in each ? [] : [index]));
        expect(rejected.map(({ index }) => index)).toEqual(wrongAt);
        expect(summary).toMatchObject({
          received: all.length,
          written: all.length - wrongAt.length,
          rejected: wrongAt.length,
        });
        await expectRows(
          all.map((each) => ("json" in each ? (each as Good) : Buffer.alloc(0))),
          prefix,
        );
      }),
      { numRuns: 30 * MORE },
    );
  });
});
