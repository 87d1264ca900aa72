import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fromJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { beforeAll, describe, expect, test } from "vitest";
import { operationsOf } from "#edges/openapi/document.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { RecordSchema } from "#gen/learning_credentials/v1/record_pb.js";
import { issuedPdf } from "../credentials/issued-pdf.js";
import { given } from "../support/given.js";
import { givenService, startTestService, type TestService, tokenOf } from "../support/service.js";
import { type Credentials, learner, staff } from "./callers.js";
import { PREFIX } from "./exchange.js";
import { rowsOf } from "./plug-in-page.js";
import { send } from "./raw-request.js";

/**
 * Requests to the three routes. Each has the response that the contract requires, and the response of the plug-in from
 * which the contract comes: open-craft/learning-credentials 0.5.1 (commit 3c13209), run with the same facts.
 */
interface Recorded {
  readonly facts: {
    readonly records: JsonValue[];
    readonly types: (Named & { readonly name: string })[];
    readonly configurations: (Offered & { readonly custom_options: JsonObject })[];
    readonly credentials: (Offered & Held)[];
  };
  readonly cases: Case[];
}

interface Named {
  readonly retrieval_func: string;
  readonly generation_func: string;
  readonly custom_options: JsonObject;
}

interface Offered {
  readonly learning_context_key: string;
  readonly credential_type: string;
}

interface Held {
  readonly ref: string;
  readonly username: string;
  readonly status?: string;
  readonly invalidation_reason?: string;
}

interface Case {
  readonly id: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly as: string;
    readonly headers?: Readonly<Record<string, string>>;
  };
  readonly spec: Demanded;
  readonly ancestor: { readonly status: number; readonly body: unknown };
  /** True if the case needs a credential that these tests don't issue. `metadata.ts` tests such cases. */
  readonly ancestor_only?: true;
}

interface Demanded {
  readonly status: number;
  /** The members of the body, in this order. */
  readonly keys?: string[];
  /** Values by JSON pointer. `/#` at the end stands for the length. */
  readonly fields?: Record<string, unknown>;
}

const { facts, cases }: Recorded = JSON.parse(
  await readFile(join(import.meta.dirname, "ancestor.json"), "utf8"),
);
const service = givenService();
const compatible = given(
  () => startTestService({ beside: service, settings: { LEARNING_CREDENTIALS_REST_COMPATIBILITY: "0.5.1" } }),
  ({ stop }) => stop(),
);
const verifyUuids = new Map<string, string>();
const uuids = new Map<string, string>();
const requested = cases.filter((each) => !each.ancestor_only);

beforeAll(() => establish(service));

describe("the cases recorded from the plug-in fulfil the contract", () => {
  test.each(requested.map((each) => [nameOf(each), each] as const))("%s", async (_, { request, spec }) => {
    const { status, body } = await call(service, request);
    expect(status, body).toBe(spec.status);
    const parsed = body === "" ? undefined : JSON.parse(body);
    if (spec.keys) expect(Object.keys(parsed)).toEqual(spec.keys);
    for (const [pointer, value] of Object.entries(spec.fields ?? {})) {
      expect(at(parsed, pointer), pointer).toEqual(matcherOf(value));
    }
  });
});

const UUIDS = "a verification UUID in capitals, or malformed";
const TEXTS = "error texts with status 400 and 403, and with 404 for an unknown user";
const KEYS = "keys of libraries and branches, keys over 255 characters";

/**
 * Cases whose responses with LEARNING_CREDENTIALS_REST_COMPATIBILITY=0.5.1 differ from those of 0.5.1. The value is the
 * beginning of the row in `.docs/coming-from-the-plug-in.md` that gives the reason.
 */
const differences: Readonly<Record<string, string>> = {
  M01: UUIDS,
  M02: UUIDS,
  V31: TEXTS,
  E17: TEXTS,
  E04: "a parameter given twice",
  K17: KEYS,
  K18: KEYS,
  K19: KEYS,
  P19: "a result of 0 of 0 points",
};

test("the documentation lists each difference", async () => {
  expect(await rowsOf("Clients of the API")).toEqual(
    expect.arrayContaining([...new Set(Object.values(differences))]),
  );
});

describe("LEARNING_CREDENTIALS_REST_COMPATIBILITY=0.5.1", () => {
  const answered = requested.filter(({ ancestor }) => ancestor.status === 200 || ancestor.status === 404);

  test.each(answered.map((each) => [nameOf(each), each] as const))(
    "%s",
    async (_, { id, request, ancestor }) => {
      const { status, body } = await call(compatible, request);
      const answer = { status, body: body.startsWith("{") ? JSON.parse(body) : null };
      const recorded = { status: ancestor.status, body: withMatchers(ancestor.body) };
      if (id in differences) return expect(answer, differences[id]).not.toEqual(recorded);
      expect(answer).toEqual(recorded);
      if (status === 200) expect(namesIn(answer.body)).toEqual(namesIn(ancestor.body));
    },
  );

  test("has a description with the routes' other responses", async () => {
    const { body } = await send(compatible.httpUrl, { method: "GET", target: `${PREFIX}openapi.json` });
    const { paths } = JSON.parse(body);
    expect(
      operationsOf({ paths })
        .map(({ operation }) => operation.operationId)
        .sort(),
    ).toEqual([
      "checkLegacyConfiguration",
      "claimLegacyCredential",
      "getCredentialMetadata",
      "getLegacyEligibility",
      "listLearnerCredentials",
    ]);
  });
});

/** Returns the names of the members of a body and of its entries, in order. */
function namesIn(body: unknown): string[][] {
  const { credentials = [] } = body as { credentials?: object[] };
  return [body as object, ...credentials].map((each) => Object.keys(each));
}

/** Replaces values with matchers that accept any link and time, and numbers rounded to 6 decimals. */
function withMatchers(recorded: unknown): unknown {
  if (typeof recorded === "number") return expect.closeTo(recorded, 5);
  if (typeof recorded === "string")
    return recorded.replace(/^\{primary:(\w+)\}$/, (_, ref) => uuids.get(ref) ?? "");
  if (Array.isArray(recorded)) return recorded.map(withMatchers);
  if (typeof recorded !== "object" || recorded === null) return recorded;
  return Object.fromEntries(
    Object.entries(recorded).map(([name, value]) =>
      name === "created" || name === "existing_credential_url"
        ? [name, expect.any(String)]
        : [name, withMatchers(value)],
    ),
  );
}

function nameOf({ id, request }: Case): string {
  return `${id}: ${request.method} ${request.path.replace("/api/learning_credentials/v1/", "")} as ${request.as}`;
}

async function call({ httpUrl }: TestService, { method, path, as, headers }: Case["request"]) {
  const target = path.replace(/\{(verify|VERIFY|primary):(\w+)\}/, (_, form, ref) => {
    const uuid = (form === "primary" ? uuids : verifyUuids).get(ref) ?? "";
    return form === "VERIFY" ? uuid.toUpperCase() : uuid;
  });
  return send(httpUrl, { method, target, headers: { ...callerOf(as), ...headers } });
}

function callerOf(as: string): Credentials {
  if (as === "anonymous") return {};
  if (as === "bad") return { authorization: "Bearer nonsense" };
  return as === "staff" ? staff : learner(as);
}

/** Returns the value at a JSON pointer. Its segments have no escapes, because keys of contexts contain no slashes. */
function at(body: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .reduce<unknown>(
      (value, name) =>
        name === "#" ? (value as unknown[]).length : (value as Record<string, unknown> | undefined)?.[name],
      body,
    );
}

function matcherOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { $type, $match, $near } = value as { $type?: string; $match?: string; $near?: number };
  if ($match !== undefined) return expect.stringMatching(new RegExp($match));
  if ($near !== undefined) return expect.closeTo($near, 5);
  if ($type !== undefined) return expect.any({ string: String, number: Number, object: Object }[$type]);
  return value;
}

async function establish(service: TestService): Promise<void> {
  const platform = await tokenOf({ username: "lms", service: "write" });
  await service
    .client(LearnerRecordService, platform)
    .upsertRecords({ records: facts.records.map((record) => fromJson(RecordSchema, record)) });
  const configurations = service.client(ConfigurationService, platform);
  const typeIds = new Map<string, number>();
  for (const type of facts.types) {
    const { name, retrieval_func: retrievalFunc, generation_func: generationFunc } = type;
    const { id } = await configurations.createCredentialType({
      credentialType: { name, retrievalFunc, generationFunc, customOptions: type.custom_options },
    });
    typeIds.set(name, id);
  }
  for (const each of facts.configurations) {
    await configurations.createCredentialConfiguration({
      credentialConfiguration: {
        learningContextKey: each.learning_context_key,
        credentialTypeId: typeIds.get(each.credential_type) as number,
        customOptions: each.custom_options,
      },
    });
  }
  const credentials = service.client(CredentialService, platform);
  await credentials.importCredentials(taken());
  for (const [ref, verifyUuid] of verifyUuids) {
    const { credentials: found } = await credentials.listCredentials({ username: "u" });
    uuids.set(ref, found.find((each) => each.verifyUuid === verifyUuid)?.uuid ?? "");
  }
}

/** Yields credentials to import, because imports keep verification UUIDs. */
async function* taken() {
  for (const { status, ref, username, invalidation_reason: reason, ...offered } of facts.credentials) {
    if (status !== undefined) continue;
    const verifyUuid = randomUUID();
    verifyUuids.set(ref, verifyUuid);
    const created = timestampFromDate(new Date("2026-01-15T10:30:00Z"));
    yield {
      credentials: [
        {
          verifyUuid,
          username,
          userFullName: "Test User",
          learningContextKey: offered.learning_context_key,
          learningContextName: "Test Course",
          credentialType: offered.credential_type,
          createTime: created,
          file: issuedPdf(ref),
          ...(reason !== undefined && {
            status: CredentialStatus.INVALIDATED,
            invalidationReason: reason,
            invalidateTime: created,
          }),
        },
      ],
    };
  }
}
