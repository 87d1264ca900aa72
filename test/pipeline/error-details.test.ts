import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Code } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { toRpcError } from "#api/pipeline/codes.js";
import { invalidField, Problem, type ProblemKind, REASONS, tooManyRequests } from "#foundation/errors.js";
import { BadRequestSchema, ErrorInfoSchema } from "#gen/google/rpc/error_details_pb.js";

const page = readFileSync(resolve(import.meta.dirname, "../../.docs/errors.md"), "utf8");

const infoOf = (error: unknown) => toRpcError(error).findDetails(ErrorInfoSchema)[0];

describe("the details of an error", () => {
  it("are explained in the documentation, reason by reason", () => {
    expect([...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, reason]) => reason)).toEqual(REASONS);
  });

  it.each<[ProblemKind, string]>([
    ["invalid", "INVALID_REQUEST"],
    ["unauthenticated", "UNAUTHENTICATED"],
    ["permission-denied", "PERMISSION_DENIED"],
    ["not-found", "NOT_FOUND"],
    ["already-exists", "ALREADY_EXISTS"],
    ["failed-precondition", "FAILED_PRECONDITION"],
    ["gone", "GONE"],
    ["aborted", "CONFLICT"],
    ["out-of-range", "OUT_OF_RANGE"],
    ["resource-exhausted", "TOO_MUCH"],
    ["too-large", "TOO_MUCH"],
    ["overloaded", "OVERLOADED"],
    ["unavailable", "UNAVAILABLE"],
    ["deadline-exceeded", "DEADLINE_EXCEEDED"],
    ["cancelled", "CANCELLED"],
  ])("have a reason for a problem that states none: %s -> %s", (kind, reason) => {
    const error = toRpcError(new Problem(kind, "x"));
    expect(error.findDetails(ErrorInfoSchema)).toMatchObject([{ reason, domain: "learning-credentials" }]);
    expect(error.findDetails(BadRequestSchema)).toEqual([]);
  });

  it("reveal nothing of a defect, and of an outage only what can't be reached", () => {
    expect(infoOf(new Error("secret"))).toMatchObject({ reason: "INTERNAL", metadata: {} });
    expect(infoOf(Object.assign(new Error("x"), { code: "ECONNREFUSED" }))).toMatchObject({
      reason: "DATABASE_UNAVAILABLE",
    });
    expect(infoOf(new Problem("unavailable", "x", { outage: "mail" }))).toMatchObject({
      reason: "MAIL_UNAVAILABLE",
    });
    expect(infoOf(tooManyRequests())).toMatchObject({ reason: "OVERLOADED" });
  });

  it("name the field, with values that are valid Unicode and short", () => {
    const problem = invalidField("filter.uuids[3]", `half a \ud83d, ${"x".repeat(1000)}`);
    const error = toRpcError(problem);
    expect(error.code).toBe(Code.InvalidArgument);
    const [fields] = error.findDetails(BadRequestSchema);
    expect(fields?.fieldViolations).toMatchObject([{ field: "filter.uuids[3]", reason: "INVALID_FIELD" }]);
    expect(fields?.fieldViolations[0]?.description).toMatch(/^half a \ufffd, x{100,190}…$/);
    const facts = { status: "generating", odd: "\ud83d" };
    expect(infoOf(new Problem("aborted", "x", { reason: "PLAN_CHANGED", facts }))).toMatchObject({
      reason: "PLAN_CHANGED",
      metadata: { status: "generating", odd: "\ufffd" },
    });
  });
});
