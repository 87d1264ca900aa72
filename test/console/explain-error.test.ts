import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { toRpcError } from "#api/pipeline/codes.js";
import { explainError } from "#console/components/explain-error.js";
import { loadChapter } from "#console/i18n/load-chapter.js";
import { Problem, type ProblemOptions, REASONS } from "#foundation/errors.js";
import { BadRequestSchema, ErrorInfoSchema } from "#gen/google/rpc/error_details_pb.js";

const ar = await loadChapter("core", "ar");
const arabic = await loadChapter("explanations", "ar");
const de = await loadChapter("core", "de");
const german = await loadChapter("explanations", "de");
const en = await loadChapter("core", "en");
const english = await loadChapter("explanations", "en");

/** Returns an error as a browser receives it, with the details as bytes. */
function errorWith(options: ProblemOptions): ConnectError {
  const sent = toRpcError(new Problem("failed-precondition", "In English.", options));
  const received = new ConnectError(sent.rawMessage, sent.code);
  received.details = sent.details.map((detail) => {
    if (!("desc" in detail)) return detail;
    const { desc, value } = detail;
    return new ConnectError("", Code.Unknown, undefined, [
      { desc, value: value as MessageInitShape<typeof desc> },
    ]).details[0] as typeof detail;
  });
  return received;
}

const explained = (options: ProblemOptions) => explainError(errorWith(options), english, en);

describe("an error in words", () => {
  it("is explained by its reason, with the values of the error", () => {
    expect(explained({ reason: "NO_ADDRESS", facts: { username: "ana" } })).toEqual({
      text: "\u2068ana\u2069 has no email address. Add one on the learner’s page: “Correct the address”.",
      isComplete: true,
    });
    expect(explainError(errorWith({ reason: "LEARNER_ERASED" }), german, de)?.text).toBe(
      "Die Person wurde gelöscht.",
    );
  });

  it.each([
    [
      english,
      en,
      "This requires the role registrar.",
      "The status of the credential doesn’t allow this: Valid.",
    ],
    [
      german,
      de,
      "Dafür ist die Rolle „Ausstellung“ erforderlich.",
      "Der Status des Nachweises lässt das nicht zu: Gültig.",
    ],
    [arabic, ar, "يتطلب هذا دور المسجّل.", "حالة الشهادة لا تسمح بذلك: صالحة."],
  ])("names roles and statuses in the user's language", (words, main, role, status) => {
    expect(
      explainError(errorWith({ reason: "ROLE_MISSING", facts: { role: "registrar" } }), words, main)?.text,
    ).toContain(role);
    expect(
      explainError(errorWith({ reason: "WRONG_STATUS", facts: { status: "available" } }), words, main)?.text,
    ).toBe(status);
  });

  it("keeps the service's words if only the service knows the details", () => {
    expect(explained({ reason: "NOT_PRINTABLE" })?.isComplete).toBe(false);
    expect(explained({ reason: "FAILED_PRECONDITION" })).toBeUndefined();
    expect(explained({ reason: "WRONG_STATUS" })).toBeUndefined();
    expect(explained({ reason: "toString" as "GONE" })).toBeUndefined();
    expect(explainError(new ConnectError("no details"), english, en)).toBeUndefined();
  });

  it.each([
    ["reason", "This isn’t valid: the reason."],
    ["filter.uuids[3]", "This isn’t valid: the list of UUIDs."],
    ["schedule.time_zone", "This isn’t valid: \u2068schedule.time_zone\u2069."],
    ["constructor", "This isn’t valid: \u2068constructor\u2069."],
    ["$&", "This isn’t valid: \u2068$&\u2069."],
  ])("names the field %s", (field, text) => {
    expect(explained({ field })).toEqual({ text, isComplete: false });
  });

  it("says what to do if a page of a list isn't available", () => {
    const text = "This page of the list isn’t available. Open the list again.";
    expect(explained({ field: "page_token" })).toEqual({ text, isComplete: true });
  });
});

/** Reasons that say hardly more than the error code. */
const general = [
  "INVALID_REQUEST",
  "INVALID_FIELD",
  "UNAUTHENTICATED",
  "PERMISSION_DENIED",
  "SCOPE_MISSING",
  "NOT_FOUND",
  "ALREADY_EXISTS",
  "FAILED_PRECONDITION",
  "GONE",
  "CONFLICT",
  "OUT_OF_RANGE",
  "TOO_MUCH",
  "UNAVAILABLE",
  "CANCELLED",
  "INTERNAL",
];

/** Reasons of methods that the console does not call. */
const ofBadges = ["INVALIDATED", "NO_BADGE", "NO_HTTPS", "ISSUED_ELSEWHERE"];

it("every reason of the service is explained, except reasons that say hardly more than the code", () => {
  expect([...Object.keys(english.reasons), ...general, ...ofBadges].sort()).toEqual([...REASONS].sort());
  expect([ErrorInfoSchema.name, BadRequestSchema.name]).toEqual(["ErrorInfo", "BadRequest"]);
});
