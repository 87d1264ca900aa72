import { once } from "node:events";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Problem } from "#foundation/errors.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { completed } from "../support/records.js";
import {
  type CallOptions,
  clientsOf,
  eventually,
  maxMessageBytes,
  type Outcome,
  openTransports,
  problemKinds,
  type Transports,
} from "./transports.js";

let transports: Transports;
beforeAll(async () => {
  transports = await openTransports();
});
afterAll(() => transports.close());

/** Repeats a call with longer and longer deadlines until the handler begins before the deadline. */
async function untilItBegins(
  call: (timeoutMs: number) => Promise<Outcome>,
  isEnough: (outcome: Outcome) => boolean = () => true,
): Promise<Outcome> {
  let hasBegun = false;
  void once(transports.calls, "begun").then(() => {
    hasBegun = true;
  });
  for (let timeoutMs = 100; ; timeoutMs *= 2) {
    const outcome = await call(timeoutMs);
    if (hasBegun && isEnough(outcome)) return outcome;
  }
}

const records = [{ kind: completed("u", "c", 1) }];

/** The details of an error that has a reason but no metadata. */
const onlyReason = {
  info: [
    expect.objectContaining({
      reason: expect.stringMatching(/^[A-Z_]+$/),
      domain: "learning-credentials",
      metadata: {},
    }),
  ],
  badRequest: [],
};

describe.each(Object.entries(clientsOf(() => transports)))("%s", (client, call) => {
  it("calls a unary method", async () => {
    const outcome = await call(CredentialService, "getCredentialMetadata", [{ verifyUuid: "Lovelace ñ 学" }]);
    expect(outcome).toMatchObject({ responses: [{ userFullName: "Ada Lovelace ñ 学", status: 2 }] });
  });

  it("calls a server streaming method with more messages than a buffer holds", async () => {
    const request = [{ configurationId: 3000 }];
    const { responses, code } = await call(EligibilityService, "listEligibleLearners", request, {
      token: "staff",
    });
    expect(code).toBeUndefined();
    expect(responses).toHaveLength(3000);
    expect(responses[2999]).toMatchObject({ learners: [{ username: "u2999" }] });
  });

  it("gets the messages of a server stream that come before its error", async () => {
    const request = [{ configurationId: -2 }];
    const outcome = await call(EligibilityService, "listEligibleLearners", request, { token: "staff" });
    expect(outcome).toMatchObject({ responses: [{}, {}], code: Code.FailedPrecondition, message: "no more" });
  });

  it("calls a client streaming method", async () => {
    const requests = Array.from({ length: 200 }, () => ({ records }));
    const outcome = await call(LearnerRecordService, "importRecords", requests, { token: "service" });
    expect(outcome).toMatchObject({ responses: [{ summary: { received: 200 } }] });
  });

  it("ends a client stream early when the handler ends", async () => {
    const requests = [{ records }, { skipInvalid: true }, ...Array.from({ length: 50 }, () => ({ records }))];
    const outcome = await call(LearnerRecordService, "importRecords", requests, { token: "service" });
    expect(outcome).toMatchObject({ code: Code.InvalidArgument, message: "record 1 is invalid" });
  });

  it.each(Object.entries(problemKinds))(
    "gets %s with only its code, message and reason",
    async (kind, code) => {
      const outcome = await call(CredentialService, "getCredentialMetadata", [{ verifyUuid: kind }]);
      expect(outcome).toEqual({ responses: [], code, message: `Größe „${kind}“ 100%`, details: onlyReason });
    },
  );

  it.each(["bug", "unencodable"])("gets no details of an internal error (%s)", async (verifyUuid) => {
    const outcome = await call(CredentialService, "getCredentialMetadata", [{ verifyUuid }]);
    expect(outcome).toEqual({
      responses: [],
      code: Code.Internal,
      message: "internal error",
      details: onlyReason,
    });
  });

  it("survives a message that is not well-formed Unicode", async () => {
    const outcome = await call(CredentialService, "getCredentialMetadata", [{ verifyUuid: "surrogate" }]);
    expect(outcome).toMatchObject({ code: Code.InvalidArgument, message: "half a \ufffd" });
  });

  it.each([
    [undefined, Code.Unauthenticated, "Authentication credentials were not provided."],
    ["forged", Code.Unauthenticated, "The token is not valid."],
    ["learner", Code.PermissionDenied, "This requires a staff user or a service token."],
    ["staff", undefined, undefined],
    ["service", undefined, undefined],
  ])("is admitted or refused with the token %s", async (token, code, message) => {
    const options = token === undefined ? {} : { token };
    const unary = await call(CredentialService, "getCredential", [{ uuid: "1" }], options);
    expect([unary.code, unary.message]).toEqual([code, message]);
    const request = [{ configurationId: 1 }];
    const stream = await call(EligibilityService, "listEligibleLearners", request, options);
    expect([stream.code, stream.message]).toEqual([code, message]);
  });

  it("refuses a learner who requests another learner's data", async () => {
    const request = [{ learningContextKey: "k", username: "other" }];
    const outcome = await call(EligibilityService, "getEligibility", request, { token: "learner" });
    expect(outcome.code).toBe(Code.PermissionDenied);
  });

  it("ignores credentials if a method is public", async () => {
    const outcome = await call(CredentialService, "getCredentialMetadata", [{}], { token: "forged" });
    expect(outcome.code).toBeUndefined();
  });

  it("gets the id of its request", async () => {
    const header = { "x-request-id": "trace-17" };
    const outcome = await call(CredentialService, "getCredentialMetadata", [{ verifyUuid: "request-id" }], {
      header,
    });
    expect(outcome).toMatchObject({ responses: [{ userFullName: "trace-17" }] });
  });

  it("gets a response of a megabyte", async () => {
    const outcome = await call(CredentialService, "listCredentials", [{}], { token: "staff" });
    expect(outcome).toMatchObject({ responses: [{ nextPageToken: "x".repeat(1_000_000) }] });
  });

  if (client !== "Connect, GET") {
    it("is refused when its message is too large", async () => {
      const huge = { username: "x".repeat(maxMessageBytes) };
      const unary = await call(CredentialService, "issueCredential", [huge], { token: "staff" });
      expect(unary.code).toBe(Code.ResourceExhausted);
      const requests = [{ records }, { records: [{ kind: { case: "learner" as const, value: huge } }] }];
      const stream = await call(LearnerRecordService, "importRecords", requests, { token: "service" });
      expect(stream.code).toBe(Code.ResourceExhausted);
    });
  }

  it("passes its deadline on to the handler of a unary call", async () => {
    const before = transports.aborted.length;
    const request = [{ verifyUuid: "hang" }];
    const outcome = await untilItBegins((timeoutMs) =>
      call(CredentialService, "getCredentialMetadata", request, { timeoutMs }),
    );
    expect(outcome.code).toBe(Code.DeadlineExceeded);
    await eventually(() => transports.aborted.length > before);
    expect(["deadline-exceeded", "cancelled"]).toContain((transports.aborted.at(-1) as Problem).kind);
  });

  it("passes its cancellation on to the handler of a unary call", async () => {
    const before = transports.aborted.length;
    const abort = new AbortController();
    void once(transports.calls, "begun").then(() => abort.abort());
    const outcome = await call(CredentialService, "getCredentialMetadata", [{ verifyUuid: "hang" }], {
      signal: abort.signal,
    });
    expect(outcome.code).toBe(Code.Canceled);
    // On a busy machine, a call of the previous test may also end only now.
    const isCancelled = (reason: unknown) => reason instanceof Problem && reason.kind === "cancelled";
    await eventually(() => transports.aborted.slice(before).some(isCancelled));
  });

  it.each(["deadline", "cancellation"])("passes its %s on to the handler of a client stream", async (by) => {
    const { aborted, importsFinished } = transports;
    const before = aborted.length;
    const abort = new AbortController();
    const options = { token: "service", staysOpen: true };
    const importRecords = (until: CallOptions) =>
      call(LearnerRecordService, "importRecords", [{ records }, { records }], { ...options, ...until });
    void once(transports.calls, "begun").then(() => abort.abort());
    const outcome = await (by === "deadline"
      ? untilItBegins((timeoutMs) => importRecords({ timeoutMs }))
      : importRecords({ signal: abort.signal }));
    expect(outcome.code).toBe(by === "deadline" ? Code.DeadlineExceeded : Code.Canceled);
    await eventually(() => aborted.length > before);
    expect(transports.importsFinished).toBe(importsFinished);
  });

  it.each(["deadline", "cancellation"])("ends the handler of a server stream by its %s", async (by) => {
    const { streamsEnded } = transports;
    const abort = new AbortController();
    const listLearners = (options: CallOptions) => {
      const request = [{ configurationId: 0 }];
      return call(EligibilityService, "listEligibleLearners", request, { token: "staff", ...options });
    };
    const outcome = await (by === "deadline"
      ? untilItBegins(
          (timeoutMs) => listLearners({ timeoutMs }),
          ({ responses }) => responses.length > 0,
        )
      : listLearners({ signal: abort.signal, onResponse: () => abort.abort() }));
    expect(outcome.code).toBe(by === "deadline" ? Code.DeadlineExceeded : Code.Canceled);
    expect(outcome.responses[0]).toMatchObject({ learners: [{ username: "first" }] });
    await eventually(() => transports.streamsEnded > streamsEnded);
  });
});
