import type { JsonObject } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { type Client, Code, ConnectError } from "@connectrpc/connect";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { processorMs } from "../support/processor-time.js";
import { givenService, tokenOf } from "../support/service.js";

/** Converts an object to JSON and back, because JSON has no -0. */
const asJson = (message: object): unknown => JSON.parse(JSON.stringify(message));

/** `FUZZ_RUNS=50` runs fifty times as many cases; a failure prints its seed. */
const MORE = Number(process.env.FUZZ_RUNS ?? 1);
/** Maximum processor time of a request. Elapsed time would depend on how busy the machine is. */
const A_MOMENT_MS = 5_000;
const TIMEOUT = { timeout: 180_000 * MORE };

const GRADES = "learning_credentials.processors.retrieve_subsection_grades";
const BOTH = "learning_credentials.processors.retrieve_completions_and_grades";
const PDF = "learning_credentials.generators.generate_pdf_credential";

const service = givenService();
let token: string;
let staff: Client<typeof ConfigurationService>;
beforeAll(async () => {
  token = await tokenOf({ username: "registrar", isStaff: true });
  staff = service.client(ConfigurationService, token);
});

let made = 0;

/** Returns the response of a call, or undefined if it was refused with an error that describes the problem. */
async function answered<T>(call: () => Promise<T>): Promise<T | undefined> {
  const begun = process.cpuUsage();
  const outcome = await call().catch((reason: unknown) => ConnectError.from(reason));
  expect(processorMs(begun)).toBeLessThan(A_MOMENT_MS);
  if (!(outcome instanceof ConnectError)) return outcome;
  expect([Code.InvalidArgument, Code.FailedPrecondition], outcome.message).toContain(outcome.code);
  expect(outcome.rawMessage).toMatch(/^.{10,2000}$/s);
  return undefined;
}

const word = fc.oneof(
  fc.constantFrom("__proto__", "constructor", "toString", "Exam", "Total", "total", "0", ""),
  fc.string({ unit: "binary" }).map((text) => text.toWellFormed()),
);
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1, 0.5, -1, 5e-324, 1e308, 2 ** 53),
);
/** JSON of any shape, with names that some programs treat specially. */
const { any } = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(null, true, false),
    number,
    word,
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(word, tie("any"), { maxKeys: 3 }),
  ),
}));

const text = fc.oneof(
  fc.constantFrom(
    "{name}",
    "{context_name}\n{issue_date}",
    "{{}}",
    "{verify_url}",
    "{",
    "{nmae}",
    "مرحبا {name} 12",
    "👩‍🎓",
  ),
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.string({ unit: "binary", maxLength: 20 }).map((text) => text.toWellFormed()),
  fc.nat(2100).map((length) => "W".repeat(length)),
);
const color = fc.constantFrom("#8a6d2f", "fff", "#12345", "red", "");
const edges = (...values: number[]) => fc.oneof(fc.constantFrom(...values), number);
const style = {
  font: fc.oneof(fc.constantFrom("EB Garamond", "nothing", "Noto Emoji"), word),
  color,
  size: edges(1, 0.999, 12, 500, 501),
  char_space: edges(-20, 0, 100),
  uppercase: fc.boolean(),
  line_height: edges(0.5, 1.2, 5),
};
const optional = <T>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(fields, { requiredKeys: [] });
const element = optional<Record<string, unknown>>({
  text,
  x: edges(-5000, 0, 400, 5000),
  y: edges(-5000, 0, 300, 5000),
  align: fc.constantFrom("left", "center", "right", "justify"),
  max_width: edges(5e-324, 1, 400, 5000),
  ...style,
});
/** Options as a person could write them, correct or nearly correct. */
const likely = optional<Record<string, unknown>>({
  required_grades: fc.dictionary(word, edges(0, 0.65, 1, 1.0000001), { maxKeys: 3 }),
  required_completion: edges(0, 0.9, 1),
  steps: fc.dictionary(fc.constantFrom("course-v1:a+b+c", "x", "__proto__"), any, { maxKeys: 2 }),
  template: fc.constantFrom("nothing", "../x", ""),
  defaults: optional<Record<string, unknown>>(style),
  text_elements: fc.dictionary(
    fc.constantFrom("name", "context", "date", "motto", "1", "__proto__"),
    fc.oneof(element, fc.boolean()),
    { maxKeys: 3 },
  ),
  qr: fc.oneof(
    fc.boolean(),
    optional<Record<string, unknown>>({ x: edges(0, -5000), y: edges(0), size: edges(20, 1000), color }),
  ),
  images: fc.array(fc.record({ asset: fc.constant("nothing"), x: number, y: number }), { maxLength: 1 }),
  page: optional<Record<string, unknown>>({
    size: fc.constantFrom("A4", "LETTER", "A5"),
    orientation: fc.constantFrom("landscape", "portrait"),
  }),
  accent_color: color,
  language: fc.constantFrom(
    "ar",
    "th-u-ca-buddhist",
    "en-u-nu-arab",
    "x-private",
    "tlh",
    "en_US",
    "",
    "zz-ZZ-1996",
  ),
  encrypt: fc.boolean(),
  pdf_a: fc.boolean(),
});
/** Valid options, except that some texts may not be printable. */
const right = optional<Record<string, unknown>>({
  required_grades: fc.constantFrom({ Exam: 0.65 }, { Exam: 0, Total: 1, constructor: 0.5 }),
  defaults: optional<Record<string, unknown>>({
    size: fc.double({ min: 1, max: 500, noNaN: true }),
    char_space: fc.double({ min: -20, max: 100, noNaN: true }),
    line_height: fc.double({ min: 0.5, max: 5, noNaN: true }),
    uppercase: fc.boolean(),
  }),
  text_elements: fc.record({
    motto: fc.record({
      text: fc.oneof(
        fc.constantFrom("{name}", "{context_name}\n{verify_url}"),
        fc.string({ maxLength: 60 }).map((text) => text.replaceAll(/[{}]/g, "")),
      ),
      y: fc.double({ min: -5000, max: 5000, noNaN: true }),
      align: fc.constantFrom("left", "center", "right"),
      max_width: fc.double({ min: 0.1, max: 5000, noNaN: true }),
    }),
    name: fc.constantFrom(false, {}),
  }),
  qr: fc.boolean(),
  page: fc.constantFrom({}, { size: "LETTER" }, { orientation: "portrait" }),
  accent_color: fc.constantFrom("#8a6d2f", "fff"),
  language: fc.constantFrom("ar", "de-1996", "en-u-nu-arab", "es-419", "uk-u-ca-buddhist"),
  encrypt: fc.boolean(),
});
/** Nearly correct options, one of which may be anything. */
const nearlyLikely = fc
  .tuple(likely, fc.constantFrom("text_elements", "qr", "page", "defaults", "images", "language"), any)
  .map(([options, name, value]): Record<string, unknown> => ({ ...options, [name]: value }));
const options = fc.oneof(
  { weight: 3, arbitrary: right },
  { weight: 3, arbitrary: likely },
  { weight: 2, arbitrary: nearlyLikely },
  fc.dictionary(word, any, { maxKeys: 4 }),
) as fc.Arbitrary<JsonObject>;
const retrievalFunc = fc.constantFrom(GRADES, BOTH);

const typeOf = (customOptions: JsonObject, retrievalFunc = GRADES) => ({
  name: `Type ${++made}`,
  retrievalFunc,
  generationFunc: PDF,
  customOptions,
});

describe("options of any kind", () => {
  it("are stored unchanged and can be printed, or are refused with a reason", TIMEOUT, async () => {
    let [accepted, printed] = [0, 0];
    await fc.assert(
      fc.asyncProperty(options, retrievalFunc, text, async (customOptions, retrievalFunc, userFullName) => {
        const credentialType = typeOf(customOptions, retrievalFunc);
        const created = await answered(() => staff.createCredentialType({ credentialType }));
        const source = { case: "credentialType" as const, value: credentialType };
        const preview = await answered(() => staff.previewCredential({ source, userFullName }));
        if (preview) {
          printed++;
          expect(Buffer.from(preview.pdf.subarray(0, 5)).toString()).toBe("%PDF-");
        }
        if (!created) return;
        accepted++;
        const { id } = created;
        const read = await staff.getCredentialType({ id });
        expect(asJson(read)).toEqual(asJson(created));
        const again = await staff.updateCredentialType({
          credentialType: read,
          updateMask: { paths: ["custom_options"] },
        });
        expect(asJson(again)).toEqual(asJson(created));
        await staff.deleteCredentialType({ id });
      }),
      { numRuns: 100 * MORE },
    );
    expect(accepted).toBeGreaterThan(0);
    expect(printed).toBeGreaterThan(0);
  });

  it("of a configuration are handled in the same way", TIMEOUT, async () => {
    const { id: credentialTypeId } = await staff.createCredentialType({
      credentialType: typeOf({
        required_grades: { Exam: 0.5 },
        text_elements: { motto: { text: "a", y: 9 } },
      }),
    });
    const key = fc.constantFrom(`course-v1:Uni+Any+1`, `path-v1:Uni+Any+1+a`);
    await fc.assert(
      fc.asyncProperty(options, key, async (customOptions, learningContextKey) => {
        const credentialConfiguration = { learningContextKey, credentialTypeId };
        const { id } = await staff.createCredentialConfiguration({ credentialConfiguration });
        try {
          const updated = await answered(() =>
            staff.updateCredentialConfiguration({ credentialConfiguration: { id, customOptions } }),
          );
          const saved = { case: "configurationId" as const, value: id };
          if (updated) {
            await answered(() => staff.previewCredential({ source: saved }));
            const read = await staff.getCredentialConfiguration({ id });
            expect(asJson(read)).toEqual(asJson(updated));
            const again = { credentialConfiguration: read, updateMask: { paths: ["custom_options"] } };
            expect(asJson(await staff.updateCredentialConfiguration(again))).toEqual(asJson(read));
          }
          await answered(() => staff.previewCredential({ source: saved, customOptions }));
        } finally {
          await staff.deleteCredentialConfiguration({ id });
        }
      }),
      { numRuns: 50 * MORE },
    );
  });

  it.each([
    ["nested 5,000 deep", `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`],
    ["nested 100,000 deep", `${'{"qr":'.repeat(100_000)}1${"}".repeat(100_000)}`],
    ["lists nested 50,000 deep", `{"images":${"[".repeat(50_000)}${"]".repeat(50_000)}}`],
    ["with a number that JSON has not", '{"accent_color": 1e999}'],
    ["with a name twice", '{"encrypt": true, "encrypt": "x"}'],
    ["with half of a surrogate pair", '{"text_elements": {"name": {"text": "\\ud800"}}}'],
    ["with the other half, after a backslash", '{"text_elements": {"name": {"text": "\\\\\\udfff"}}}'],
    ["with NUL", '{"text_elements": {"name": {"text": "a\\u0000"}}}'],
    ["with NUL in a name", '{"required_grades": {"Exam\\u0000": 0.5}}'],
    ["of 20,000 names", `{${Array.from({ length: 20_000 }, (_, at) => `"k${at}": 1`).join(",")}}`],
    ["of a text of a megabyte", `{"text_elements": {"name": {"text": "${"x".repeat(1_000_000)}"}}}`],
  ])("%s are refused quickly", async (_, customOptions) => {
    for (const method of ["CreateCredentialType", "PreviewCredential"]) {
      const type = JSON.stringify({ ...typeOf({}), customOptions: 0 }).replace(
        '"customOptions":0',
        `"customOptions":${customOptions}`,
      );
      const begun = process.cpuUsage();
      const response = await fetch(`${service.httpUrl}/${ConfigurationService.typeName}/${method}`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: `{"credentialType":${type}}`,
      });
      expect(await response.json()).toMatchObject({
        code: "invalid_argument",
        message: expect.stringMatching(/^.{10,2000}$/s),
      });
      expect(processorMs(begun)).toBeLessThan(A_MOMENT_MS);
    }
  });

  it("may contain text that looks like an escape of such characters", async () => {
    const customOptions = { text_elements: { motto: { text: "\\u0000 \\\\ud800 🎓", y: 9 } } };
    const created = await staff.createCredentialType({ credentialType: typeOf(customOptions) });
    expect(asJson(created.customOptions ?? {})).toEqual(asJson(customOptions));
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])("with %d, which JSON lacks, are refused", async (size) => {
    const credentialType = typeOf({ text_elements: { motto: { text: "a", y: 9, size } } });
    expect(await answered(() => staff.createCredentialType({ credentialType }))).toBeUndefined();
  });
});

describe("a schedule of any kind", () => {
  const cron = fc.oneof(
    fc
      .array(
        fc.oneof(
          fc.constantFrom(
            "*",
            "0",
            "6",
            "*/15",
            "1-5",
            "MON",
            "L",
            "29",
            "2",
            "31",
            "1,2",
            "#",
            "5#2",
            "0/7",
            "60",
            "-",
            "*/0",
            "1-",
            "W",
            "LW",
          ),
          fc.string({ unit: fc.constantFrom(..."0123456789*,-/#LWJANMO"), minLength: 1, maxLength: 6 }),
        ),
        { minLength: 4, maxLength: 6 },
      )
      .map((fields) => fields.join(" ")),
    word,
  );
  const moment = fc.oneof(
    fc.constant(undefined),
    fc.record({
      seconds: fc.oneof(
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        fc.bigInt({ min: -62_135_596_800n, max: 253_402_300_799n }),
        fc.constantFrom(253_402_300_799n, 253_402_300_800n, -62_135_596_800n),
      ),
      nanos: fc.oneof(fc.constantFrom(0, 999_999_999), fc.integer()),
    }),
  );
  const recurrence = fc.oneof(
    { weight: 4, arbitrary: cron.map((value) => ({ case: "cron" as const, value })) },
    fc
      .oneof(fc.integer(), fc.constantFrom(0, 1, 3650, 3651))
      .map((value) => ({ case: "intervalDays" as const, value })),
    fc.boolean().map((value) => ({ case: "once" as const, value })),
  );
  const timeZone = fc.oneof(
    { weight: 5, arbitrary: fc.constant("") },
    fc.constantFrom("", "Europe/Madrid", "Asia/Kathmandu", "+05:30", "UTC", "Mars/Olympus"),
    word,
  );

  it("is refused with a reason, or has a next run in the future and before its end", TIMEOUT, async () => {
    const { id: credentialTypeId } = await staff.createCredentialType({
      credentialType: typeOf({ required_grades: { Exam: 0.5 } }),
    });
    const { id } = await staff.createCredentialConfiguration({
      credentialConfiguration: { learningContextKey: "course-v1:Uni+Scheduled+1", credentialTypeId },
    });
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(
        recurrence,
        timeZone,
        moment,
        moment,
        fc.boolean(),
        async (recurrence, timeZone, startTime, endTime, enabled) => {
          const schedule = {
            enabled,
            recurrence,
            timeZone,
            ...(startTime && { startTime }),
            ...(endTime && { endTime }),
          };
          // Removes the schedule of the previous round, because a due schedule stays due until a run starts.
          await staff.updateCredentialConfiguration({
            credentialConfiguration: { id },
            updateMask: { paths: ["schedule"] },
          });
          const before = Date.now();
          const updated = await answered(() =>
            staff.updateCredentialConfiguration({ credentialConfiguration: { id, schedule } }),
          );
          if (!updated) return;
          accepted++;
          const next = updated.schedule?.nextRunTime;
          expect(next !== undefined).toBe(enabled);
          if (next === undefined) return;
          expect(timestampDate(next).getTime()).toBeGreaterThanOrEqual(before - 1_000);
          if (endTime) expect(next.seconds).toBeLessThanOrEqual(endTime.seconds);
          if (startTime) expect(next.seconds).toBeGreaterThanOrEqual(startTime.seconds);
        },
      ),
      // The service may refuse all random schedules. This example ensures that it accepts one.
      {
        numRuns: 200 * MORE,
        examples: [[{ case: "intervalDays", value: 7 }, "", undefined, undefined, true]],
      },
    );
    expect(accepted).toBeGreaterThan(0);
  });
});
