import {
  create,
  type DescMessage,
  type DescMethod,
  type DescService,
  type JsonValue,
  type MessageInitShape,
  type MessageShape,
  toJson,
} from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ConfigurationService } from "../../gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialStatus } from "../../gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "../../gen/learning_credentials/v1/credential_service_pb.js";
import { EligibilityService } from "../../gen/learning_credentials/v1/eligibility_service_pb.js";
import { LearnerRecordService } from "../../gen/learning_credentials/v1/learner_record_service_pb.js";
import { type Academy, COURSE, openAcademy } from "../credentials/academy.js";
import { issuedPdf } from "../credentials/issued-pdf.js";
import { type CallOptions, clientsOf, type Doors, type Outcome, withinADeadline } from "../edges/doors.js";
import { tokenOf } from "../support/service.js";

const services: readonly DescService[] = [
  CredentialService,
  ConfigurationService,
  EligibilityService,
  LearnerRecordService,
];
const methods = services.flatMap(({ methods }) => methods);

const RETRIEVAL = "learning_credentials.processors.retrieve_subsection_grades";
const GENERATION = "learning_credentials.generators.generate_pdf_credential";
const UNKNOWN_UUID = "00000000-0000-4000-8000-000000000000";
const UNKNOWN_ID = 999_999;

let academy: Academy;
let tokens: Record<string, string>;
/** What the calls speak of. */
let known: {
  configurationId: number;
  typeId: number;
  uuid: string;
  verifyUuid: string;
  generatingUuid: string;
  toInvalidate: string;
  toReissue: string;
  runId: string;
};
/** For each door, a type and a configuration of its own to delete. */
const disposable: { typeId: number; configurationId: number }[] = [];

type AnyCaller = (s: DescService, method: string, requests: object[], o: CallOptions) => Promise<Outcome>;
const doors = Object.entries(
  clientsOf(() => {
    const [grpcPort, http] = [Number(academy.service.grpcAddress.split(":")[1]), academy.service.httpUrl];
    return { grpcPort, http } as Doors;
  }),
) as unknown as [string, AnyCaller][];

beforeAll(async () => {
  academy = await openAcademy({ signs: true });
  tokens = {
    learner: await tokenOf({ username: "ana" }),
    staff: await tokenOf({ username: "registrar", isStaff: true }),
    "read service": await tokenOf({ username: "reports", service: "read" }),
    "write service": await tokenOf({ username: "lms", service: "write" }),
  };
  const { configurationId, configurations, credentials } = academy;
  await academy.enrol("ana", "ben", "cat", "dan", "eve");
  await academy.tell({ case: "learner", value: { username: "eve", fullName: "" } });
  const { credentialTypeId: typeId } = await configurations.getCredentialConfiguration({
    id: configurationId,
  });
  const makeAvailable = async (username: string) => {
    const { uuid } = await credentials.issueCredential({ configurationId, username });
    await academy.generate(await academy.idOf(uuid));
    return uuid;
  };
  const { uuid, verifyUuid } = await credentials.issueCredential({ configurationId, username: "ana" });
  await academy.generate(await academy.idOf(uuid));
  const generating = await credentials.issueCredential({ configurationId, username: "ben" });
  const [toInvalidate, toReissue] = [await makeAvailable("cat"), await makeAvailable("dan")];
  const generatingUuid = generating.uuid;
  const runId = await runWithoutLearners(typeId);
  known = { configurationId, typeId, uuid, verifyUuid, generatingUuid, toInvalidate, toReissue, runId };
  for (const [index] of doors.entries()) {
    const type = await configurations.createCredentialType({
      credentialType: {
        name: `Disposable ${index}`,
        retrievalFunc: RETRIEVAL,
        generationFunc: GENERATION,
        customOptions: { required_grades: { total: 0.5 } },
      },
    });
    const configuration = await configurations.createCredentialConfiguration({
      credentialConfiguration: {
        learningContextKey: `course-v1:Uni+Gone+${index}`,
        credentialTypeId: typeId,
      },
    });
    await configurations.uploadAsset(iterate(upload(`gone-${index}`)));
    await academy.tell({ case: "learner", value: { username: `gone ${index}`, fullName: "Gone" } });
    disposable.push({ typeId: type.id, configurationId: configuration.id });
  }
});
afterAll(() => academy.service.stop());

/** A run that came to its end as it began. */
async function runWithoutLearners(credentialTypeId: number): Promise<string> {
  const learningContextKey = "course-v1:Uni+Empty+1";
  await academy.tell({ case: "course", value: { courseKey: learningContextKey, displayName: "Empty" } });
  const { id: configurationId } = await academy.configurations.createCredentialConfiguration({
    credentialConfiguration: { learningContextKey, credentialTypeId },
  });
  const { run } = await academy.credentials.startIssuanceRun({ configurationId });
  return run?.id ?? "";
}

const drawing = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="10" height="10"/></svg>',
);

function upload(slug: string) {
  return [
    { part: { case: "header" as const, value: { slug, size: drawing.length } } },
    { part: { case: "chunk" as const, value: drawing } },
  ];
}

async function* iterate<T>(values: T[]): AsyncGenerator<T> {
  yield* values;
}

/** A call as it is made through a door; `door` is its number. */
interface Call {
  readonly method: DescMethod;
  readonly as: string;
  readonly requests: (door: number) => object[];
}

const ENDLESS = CredentialService.method.watchCredentialEvents;

/** What a call came to, in JSON: what differs from door to door for a good reason is taken out. */
interface Answer {
  readonly code: string;
  readonly message: string | undefined;
  readonly responses: JsonValue[];
}

async function answerOf([, client]: (typeof doors)[number], door: number, call: Call): Promise<Answer> {
  const token = tokens[call.as];
  const options = token === undefined ? {} : { token };
  const outcome =
    call.method === ENDLESS
      ? await listenTo(client, call, door, options)
      : await client(call.method.parent, call.method.localName, call.requests(door), options);
  const responses = outcome.responses.map((response) => toJson(call.method.output, response));
  const text = JSON.stringify({ message: outcome.message, responses })
    .replaceAll(`~${door}~`, "~")
    .replaceAll(/expires=\d+&signature=[\w-]+|"(expireTime|uploadTime|endTime|pdf)":"[^"]+"/g, "…");
  const created = call.method.name.startsWith("Create") ? text.replaceAll(/"id":\d+/g, '"id":0') : text;
  const { message, responses: shown } = JSON.parse(created.replaceAll("…}", '"…":1}').replaceAll(",…", ""));
  return {
    code: outcome.code === undefined ? "OK" : (Code[outcome.code] as string),
    message,
    responses: shown,
  };
}

/** To the last event that there is. How messages are cut is left to the moment. */
async function listenTo(client: AnyCaller, call: Call, door: number, options: CallOptions): Promise<Outcome> {
  const { knex } = academy.service.app.database;
  await expect.poll(() => knex("unsealed_credential_events")).toEqual([]);
  const { position: last } = await knex("credential_event_head").first("position");
  const { parent, localName } = call.method;
  const events: MessageShape<typeof ENDLESS.output>["events"] = [];
  const enough = new AbortController();
  const outcome = await client(parent, localName, call.requests(door), {
    ...options,
    signal: enough.signal,
    onResponse(message) {
      events.push(...(message as MessageShape<typeof ENDLESS.output>).events);
      if (events.length === 0 || events.at(-1)?.position === BigInt(last)) enough.abort();
    },
  });
  return enough.signal.aborted ? { responses: [create(ENDLESS.output, { events })] } : outcome;
}

async function answersOf(call: Call): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const [index, door] of doors.entries()) answers.push(await answerOf(door, index, call));
  return answers;
}

type Requests<M> = M extends { input: infer I extends DescMessage }
  ? MessageInitShape<I>[] | ((door: number) => MessageInitShape<I>[])
  : never;

interface Row extends Call {
  readonly what: string;
  readonly code: string;
  /** Part of the message of a refusal. */
  readonly says: string | undefined;
}

function row<S extends DescService, M extends string & keyof S["method"]>(
  service: S,
  method: M,
  as: string,
  what: string,
  requests: () => Requests<S["method"][M]>,
  code = "OK",
  says?: string,
): Row {
  return {
    what,
    method: service.method[method] as DescMethod,
    as,
    code,
    says,
    requests: (door) => {
      const given = requests() as object[] | ((door: number) => object[]);
      return typeof given === "function" ? given(door) : given;
    },
  };
}

const type = (door: number) => ({
  name: `Type ~${door}~`,
  retrievalFunc: RETRIEVAL,
  generationFunc: GENERATION,
  customOptions: { required_grades: { Exam: 0.5 } },
});
const learner = (fullName: string) => ({
  kind: { case: "learner" as const, value: { username: "new", fullName } },
});
const foreign = (door: number, changes: object = {}) => ({
  verifyUuid: `0e1d2c3b-4a59-4687-9000-00000000000${door}`,
  username: `foreign ${door}`,
  userFullName: "Ada Lovelace",
  learningContextKey: COURSE,
  learningContextName: "Course One",
  credentialType: "Certificate",
  created: { seconds: 1_500_000_000n },
  file: issuedPdf("of a door"),
  ...changes,
});
const notAPage = "page_token is not one of this list";

const table: Row[] = [
  row(CredentialService, "getCredentialMetadata", "nobody", "a credential", () => [
    { verifyUuid: known.verifyUuid },
  ]),
  row(CredentialService, "getCredentialMetadata", "nobody", "in upper case", () => [
    { verifyUuid: known.verifyUuid.toUpperCase() },
  ]),
  row(
    CredentialService,
    "getCredentialMetadata",
    "nobody",
    "an unknown one",
    () => [{ verifyUuid: UNKNOWN_UUID }],
    "NotFound",
    "Credential not found.",
  ),
  row(
    CredentialService,
    "getCredentialMetadata",
    "nobody",
    "a malformed one",
    () => [{ verifyUuid: "x" }],
    "NotFound",
    "Credential not found.",
  ),

  row(CredentialService, "issueCredential", "write service", "one that exists", () => [
    { configurationId: known.configurationId, username: "ana" },
  ]),
  row(
    CredentialService,
    "issueCredential",
    "staff",
    "no configuration",
    () => [{ username: "ana" }],
    "InvalidArgument",
    "configuration_id is 0",
  ),
  row(
    CredentialService,
    "issueCredential",
    "staff",
    "no username",
    () => [{ configurationId: known.configurationId }],
    "InvalidArgument",
    "username is empty",
  ),
  row(
    CredentialService,
    "issueCredential",
    "staff",
    "an unknown configuration",
    () => [{ configurationId: UNKNOWN_ID, username: "ana" }],
    "NotFound",
    "no credential configuration",
  ),
  row(
    CredentialService,
    "issueCredential",
    "staff",
    "a stranger",
    () => [{ configurationId: known.configurationId, username: "zoë" }],
    "NotFound",
    'no learner named "zoë"',
  ),
  row(
    CredentialService,
    "issueCredential",
    "staff",
    "the nameless",
    () => [{ configurationId: known.configurationId, username: "eve" }],
    "FailedPrecondition",
    "has no full name",
  ),

  row(CredentialService, "getCredential", "read service", "a credential", () => [{ uuid: known.uuid }]),
  row(
    CredentialService,
    "getCredential",
    "staff",
    "an unknown one",
    () => [{ uuid: UNKNOWN_UUID }],
    "NotFound",
    "Credential not found.",
  ),

  row(CredentialService, "listCredentials", "staff", "all", () => [{}]),
  row(CredentialService, "listCredentials", "staff", "filtered", () => [
    {
      username: "ana",
      status: CredentialStatus.AVAILABLE,
      learningContextKey: COURSE,
      configurationId: known.configurationId,
      pageSize: 1,
    },
  ]),
  row(
    CredentialService,
    "listCredentials",
    "staff",
    "a malformed key",
    () => [{ learningContextKey: "x" }],
    "InvalidArgument",
    '"x"',
  ),
  row(
    CredentialService,
    "listCredentials",
    "staff",
    "an unknown status",
    () => [{ status: 9 as CredentialStatus }],
    "InvalidArgument",
    "status is 9",
  ),
  row(
    CredentialService,
    "listCredentials",
    "staff",
    "a negative size",
    () => [{ pageSize: -1 }],
    "InvalidArgument",
    "page_size is -1",
  ),
  row(
    CredentialService,
    "listCredentials",
    "staff",
    "a token of nothing",
    () => [{ pageToken: "x.1" }],
    "InvalidArgument",
    notAPage,
  ),

  row(CredentialService, "importCredentials", "write service", "one a message", () => (door) => [
    { credentials: [foreign(door)] },
    { credentials: [foreign(door), foreign(door, { verifyUuid: "x" })], skipInvalid: true },
  ]),
  row(
    CredentialService,
    "importCredentials",
    "write service",
    "one of an unknown type",
    () => [{ credentials: [foreign(9, { credentialType: "Diploma" })] }],
    "FailedPrecondition",
    'Credential 0 (counted from 0): 0e1d2c3b-4a59-4687-9000-000000000009 can\'t be taken over: there is no credential type named "Diploma"',
  ),

  row(CredentialService, "listMyCredentials", "learner", "his own", () => [{}]),
  row(
    CredentialService,
    "listMyCredentials",
    "learner",
    "a token of nothing",
    () => [{ pageToken: "x.1" }],
    "InvalidArgument",
    notAPage,
  ),

  row(CredentialService, "getDownloadUrl", "staff", "an available one", () => [{ uuid: known.uuid }]),
  row(CredentialService, "getDownloadUrl", "learner", "his own", () => [{ uuid: known.uuid }]),
  row(
    CredentialService,
    "getDownloadUrl",
    "learner",
    "another's",
    () => [{ uuid: known.generatingUuid }],
    "NotFound",
    "Credential not found.",
  ),
  row(
    CredentialService,
    "getDownloadUrl",
    "staff",
    "one being generated",
    () => [{ uuid: known.generatingUuid }],
    "FailedPrecondition",
    "is generating",
  ),
  row(
    CredentialService,
    "getDownloadUrl",
    "staff",
    "an unknown one",
    () => [{ uuid: "x" }],
    "NotFound",
    "Credential not found.",
  ),

  row(CredentialService, "getVerifiableCredential", "staff", "an available one", () => [
    { uuid: known.uuid },
  ]),
  row(
    CredentialService,
    "getVerifiableCredential",
    "staff",
    "one being generated",
    () => [{ uuid: known.generatingUuid }],
    "FailedPrecondition",
    "is generating",
  ),
  row(
    CredentialService,
    "getVerifiableCredential",
    "learner",
    "another's",
    () => [{ uuid: known.generatingUuid }],
    "NotFound",
    "Credential not found.",
  ),

  row(CredentialService, "invalidateCredential", "write service", "an available one", () => [
    { uuid: known.toInvalidate, reason: "Issued in error." },
  ]),
  row(
    CredentialService,
    "invalidateCredential",
    "staff",
    "it again, for another reason",
    () => [{ uuid: known.toInvalidate, reason: "Plagiarism." }],
    "FailedPrecondition",
    'another reason: "Issued in error."',
  ),
  row(
    CredentialService,
    "invalidateCredential",
    "staff",
    "one being generated",
    () => [{ uuid: known.generatingUuid, reason: "x" }],
    "FailedPrecondition",
    "is generating",
  ),
  row(
    CredentialService,
    "invalidateCredential",
    "staff",
    "no reason",
    () => [{ uuid: known.uuid }],
    "InvalidArgument",
    "reason is empty",
  ),
  row(
    CredentialService,
    "invalidateCredential",
    "staff",
    "an unknown one",
    () => [{ uuid: UNKNOWN_UUID, reason: "x" }],
    "NotFound",
    "Credential not found.",
  ),

  row(CredentialService, "reissueCredential", "write service", "an available one", () => [
    { uuid: known.toReissue, reason: "Misspelt." },
  ]),
  row(
    CredentialService,
    "reissueCredential",
    "staff",
    "one that was invalidated",
    () => [{ uuid: known.toInvalidate, reason: "Issued in error." }],
    "FailedPrecondition",
    "without a successor",
  ),
  row(
    CredentialService,
    "reissueCredential",
    "staff",
    "one being generated",
    () => [{ uuid: known.generatingUuid, reason: "x" }],
    "FailedPrecondition",
    "is generating",
  ),
  row(
    CredentialService,
    "reissueCredential",
    "staff",
    "a long reason",
    () => [{ uuid: known.uuid, reason: "x".repeat(256) }],
    "InvalidArgument",
    "reason has 256 characters",
  ),
  row(
    CredentialService,
    "reissueCredential",
    "staff",
    "a malformed uuid",
    () => [{ uuid: "x", reason: "x" }],
    "NotFound",
    "Credential not found.",
  ),

  row(CredentialService, "startIssuanceRun", "write service", "the plan of one", () => [
    { configurationId: known.configurationId, dryRun: true },
  ]),
  row(
    CredentialService,
    "startIssuanceRun",
    "staff",
    "an outdated plan",
    () => [{ configurationId: known.configurationId, planHash: `7.1.${"0".repeat(64)}` }],
    "Aborted",
    "it was to issue 7 and pass over 1",
  ),
  row(
    CredentialService,
    "startIssuanceRun",
    "staff",
    "no configuration",
    () => [{}],
    "InvalidArgument",
    "configuration_id is 0",
  ),
  row(
    CredentialService,
    "startIssuanceRun",
    "staff",
    "an unknown configuration",
    () => [{ configurationId: UNKNOWN_ID }],
    "NotFound",
    "no credential configuration",
  ),
  row(CredentialService, "getIssuanceRun", "read service", "a run", () => [{ id: known.runId }]),
  row(
    CredentialService,
    "getIssuanceRun",
    "staff",
    "an unknown one",
    () => [{ id: UNKNOWN_UUID }],
    "NotFound",
    "Issuance run not found.",
  ),
  row(CredentialService, "listIssuanceRuns", "read service", "all", () => [{}]),
  row(
    CredentialService,
    "listIssuanceRuns",
    "staff",
    "a negative size",
    () => [{ pageSize: -1 }],
    "InvalidArgument",
    "page_size is -1",
  ),
  row(CredentialService, "watchIssuanceRun", "read service", "one that has ended", () => [
    { id: known.runId },
  ]),
  row(
    CredentialService,
    "watchIssuanceRun",
    "staff",
    "an unknown one",
    () => [{ id: UNKNOWN_UUID }],
    "NotFound",
    "Issuance run not found.",
  ),
  row(CredentialService, "cancelIssuanceRun", "write service", "one that has ended", () => [
    { id: known.runId },
  ]),
  row(
    CredentialService,
    "cancelIssuanceRun",
    "staff",
    "a malformed id",
    () => [{ id: "x" }],
    "NotFound",
    "Issuance run not found.",
  ),
  row(CredentialService, "retryIssuanceRun", "write service", "one without failures", () => [
    { id: known.runId },
  ]),
  row(
    CredentialService,
    "retryIssuanceRun",
    "staff",
    "an unknown one",
    () => [{ id: UNKNOWN_UUID }],
    "NotFound",
    "Issuance run not found.",
  ),

  row(CredentialService, "watchCredentialEvents", "read service", "those after a position", () => [
    { afterPosition: 2n },
  ]),
  row(
    CredentialService,
    "watchCredentialEvents",
    "staff",
    "a negative position",
    () => [{ afterPosition: -1n }],
    "InvalidArgument",
    "after_position is -1",
  ),
  row(
    CredentialService,
    "watchCredentialEvents",
    "staff",
    "a hash that is none",
    () => [{ afterPosition: 1n, afterHash: "0xAB" }],
    "InvalidArgument",
    'after_hash is "0xAB"; it must be the hash of an event',
  ),
  row(
    CredentialService,
    "watchCredentialEvents",
    "staff",
    "a hash without a position",
    () => [{ afterHash: "0".repeat(64) }],
    "InvalidArgument",
    "after_hash is given, and after_position is 0",
  ),
  row(
    CredentialService,
    "watchCredentialEvents",
    "staff",
    "a position with another hash",
    () => [{ afterPosition: 1n, afterHash: "0".repeat(64) }],
    "OutOfRange",
    "another event is there than the one with your hash",
  ),
  row(
    CredentialService,
    "watchCredentialEvents",
    "staff",
    "a position to come",
    () => [{ afterPosition: 999_999n }],
    "OutOfRange",
    "after_position is 999999, and the last event has position",
  ),
  row(
    CredentialService,
    "watchCredentialEvents",
    "staff",
    "a position beyond all",
    () => [{ afterPosition: 4_611_686_018_427_387_904n }],
    "OutOfRange",
    "after_position is 4611686018427387904, and no event has a position over",
  ),

  row(CredentialService, "revokeDownloadLinks", "write service", "of an available one", () => [
    { uuid: known.uuid },
  ]),
  row(
    CredentialService,
    "revokeDownloadLinks",
    "staff",
    "of an unknown one",
    () => [{ uuid: UNKNOWN_UUID }],
    "NotFound",
    "Credential not found.",
  ),

  row(CredentialService, "invalidateCredentials", "write service", "those of a learner, dry", () => [
    { filter: { username: "ana" }, reason: "Issued in error.", dryRun: true },
  ]),
  row(CredentialService, "invalidateCredentials", "staff", "those of a stranger", () => [
    { filter: { username: "zoë" }, reason: "Issued in error." },
  ]),
  row(
    CredentialService,
    "invalidateCredentials",
    "staff",
    "an empty filter",
    () => [{ filter: {}, reason: "Issued in error." }],
    "InvalidArgument",
    "filter is empty: give at least one of username",
  ),

  row(CredentialService, "reissueCredentials", "write service", "those of a configuration, dry", () => [
    { filter: { configurationId: known.configurationId }, reason: "Misspelt.", dryRun: true },
  ]),
  row(CredentialService, "reissueCredentials", "staff", "those of a stranger", () => [
    { filter: { username: "zoë" }, reason: "Misspelt." },
  ]),
  row(
    CredentialService,
    "reissueCredentials",
    "staff",
    "no reason",
    () => [{ filter: { username: "ana" } }],
    "InvalidArgument",
    "reason is empty",
  ),
  row(
    CredentialService,
    "reissueCredentials",
    "staff",
    "no filter",
    () => [{ reason: "Misspelt." }],
    "InvalidArgument",
    "filter is empty",
  ),

  row(ConfigurationService, "checkConfiguration", "learner", "his course", () => [
    { learningContextKey: COURSE },
  ]),
  row(
    ConfigurationService,
    "checkConfiguration",
    "learner",
    "a closed one",
    () => [{ learningContextKey: "course-v1:A+B+C" }],
    "NotFound",
    "not found, or you have no access",
  ),
  row(ConfigurationService, "checkConfiguration", "staff", "a closed one", () => [
    { learningContextKey: "course-v1:A+B+C" },
  ]),
  row(
    ConfigurationService,
    "checkConfiguration",
    "learner",
    "a malformed key",
    () => [{ learningContextKey: "x" }],
    "InvalidArgument",
    '"x"',
  ),

  row(ConfigurationService, "createCredentialType", "staff", "a type", () => (door) => [
    { credentialType: type(door) },
  ]),
  row(
    ConfigurationService,
    "createCredentialType",
    "staff",
    "it again",
    () => (door) => [{ credentialType: type(door) }],
    "AlreadyExists",
    "There is a credential type named",
  ),
  row(
    ConfigurationService,
    "createCredentialType",
    "staff",
    "nothing",
    () => [{}],
    "InvalidArgument",
    "credential_type is missing",
  ),
  row(
    ConfigurationService,
    "createCredentialType",
    "staff",
    "an unknown function",
    () => [{ credentialType: { ...type(0), retrievalFunc: "no.such" } }],
    "InvalidArgument",
    "no.such",
  ),
  row(
    ConfigurationService,
    "createCredentialType",
    "staff",
    "an unknown option",
    () => [{ credentialType: { ...type(0), customOptions: { colour: 1 } } }],
    "InvalidArgument",
    "colour",
  ),

  row(ConfigurationService, "getCredentialType", "staff", "a type", () => [{ id: known.typeId }]),
  row(
    ConfigurationService,
    "getCredentialType",
    "staff",
    "an unknown one",
    () => [{ id: UNKNOWN_ID }],
    "NotFound",
    "There is no credential type",
  ),
  row(ConfigurationService, "getCredentialType", "staff", "none", () => [{}], "InvalidArgument", "id is 0"),

  row(ConfigurationService, "listCredentialTypes", "staff", "two", () => [{ pageSize: 2 }]),
  row(
    ConfigurationService,
    "listCredentialTypes",
    "staff",
    "a negative size",
    () => [{ pageSize: -1 }],
    "InvalidArgument",
    "page_size",
  ),

  row(ConfigurationService, "updateCredentialType", "staff", "nothing new", () => [
    { credentialType: { id: known.typeId, name: "Certificate" }, updateMask: { paths: ["name"] } },
  ]),
  row(
    ConfigurationService,
    "updateCredentialType",
    "staff",
    "an unknown one",
    () => [{ credentialType: { id: UNKNOWN_ID, name: "x" } }],
    "NotFound",
    "There is no credential type",
  ),
  row(
    ConfigurationService,
    "updateCredentialType",
    "staff",
    "a name that is taken",
    () => [{ credentialType: { id: known.typeId, name: "Disposable 0" } }],
    "AlreadyExists",
    "Disposable 0",
  ),
  row(
    ConfigurationService,
    "updateCredentialType",
    "staff",
    "an unknown field",
    () => [{ credentialType: { id: known.typeId }, updateMask: { paths: ["id"] } }],
    "InvalidArgument",
    "update_mask",
  ),

  row(ConfigurationService, "createCredentialConfiguration", "staff", "one", () => (door) => [
    {
      credentialConfiguration: {
        learningContextKey: `course-v1:Uni+New~${door}~+1`,
        credentialTypeId: known.typeId,
      },
    },
  ]),
  row(
    ConfigurationService,
    "createCredentialConfiguration",
    "staff",
    "it again",
    () => [{ credentialConfiguration: { learningContextKey: COURSE, credentialTypeId: known.typeId } }],
    "AlreadyExists",
    "already",
  ),
  row(
    ConfigurationService,
    "createCredentialConfiguration",
    "staff",
    "an unknown type",
    () => [{ credentialConfiguration: { learningContextKey: COURSE, credentialTypeId: UNKNOWN_ID } }],
    "NotFound",
    "There is no credential type",
  ),
  row(
    ConfigurationService,
    "createCredentialConfiguration",
    "staff",
    "a malformed key",
    () => [{ credentialConfiguration: { learningContextKey: "x", credentialTypeId: 1 } }],
    "InvalidArgument",
    '"x"',
  ),

  row(ConfigurationService, "createCredentialConfiguration", "staff", "one with a schedule", () => (door) => [
    {
      credentialConfiguration: {
        learningContextKey: `course-v1:Uni+Scheduled~${door}~+1`,
        credentialTypeId: known.typeId,
        schedule: { recurrence: { case: "cron", value: "0 6 * * MON" }, timeZone: "Europe/Madrid" },
      },
    },
  ]),
  row(
    ConfigurationService,
    "createCredentialConfiguration",
    "staff",
    "a schedule that can't be",
    () => [
      {
        credentialConfiguration: {
          learningContextKey: "course-v1:Uni+Scheduled+1",
          credentialTypeId: known.typeId,
          schedule: { timeZone: "Mars/Base" },
        },
      },
    ],
    "InvalidArgument",
    'schedule.time_zone is "Mars/Base"',
  ),

  row(ConfigurationService, "getCredentialConfiguration", "staff", "one", () => [
    { id: known.configurationId },
  ]),
  row(
    ConfigurationService,
    "getCredentialConfiguration",
    "staff",
    "an unknown one",
    () => [{ id: UNKNOWN_ID }],
    "NotFound",
    "There is no credential configuration",
  ),

  row(ConfigurationService, "listCredentialConfigurations", "staff", "those of a course", () => [
    { learningContextKey: COURSE },
  ]),
  row(
    ConfigurationService,
    "listCredentialConfigurations",
    "staff",
    "a negative id",
    () => [{ credentialTypeId: -1 }],
    "InvalidArgument",
    "credential_type_id is -1",
  ),

  row(ConfigurationService, "updateCredentialConfiguration", "staff", "its options", () => [
    {
      credentialConfiguration: { id: known.configurationId, customOptions: {} },
      updateMask: { paths: ["*"] },
    },
  ]),
  row(
    ConfigurationService,
    "updateCredentialConfiguration",
    "staff",
    "an unknown one",
    () => [{ credentialConfiguration: { id: UNKNOWN_ID } }],
    "NotFound",
    "There is no credential configuration",
  ),
  row(
    ConfigurationService,
    "updateCredentialConfiguration",
    "staff",
    "a wrong option",
    () => [
      {
        credentialConfiguration: {
          id: known.configurationId,
          customOptions: { required_grades: { Exam: 2 } },
        },
      },
    ],
    "InvalidArgument",
    "required_grades",
  ),

  row(ConfigurationService, "deleteCredentialConfiguration", "staff", "one", () => (door) => [
    { id: disposable[door]?.configurationId ?? 0 },
  ]),
  row(
    ConfigurationService,
    "deleteCredentialConfiguration",
    "staff",
    "one with credentials",
    () => [{ id: known.configurationId }],
    "FailedPrecondition",
    "Credentials were issued",
  ),
  row(
    ConfigurationService,
    "deleteCredentialConfiguration",
    "staff",
    "an unknown one",
    () => [{ id: UNKNOWN_ID }],
    "NotFound",
    "There is no credential configuration",
  ),

  row(ConfigurationService, "deleteCredentialType", "staff", "one", () => (door) => [
    { id: disposable[door]?.typeId ?? 0 },
  ]),
  row(
    ConfigurationService,
    "deleteCredentialType",
    "staff",
    "one in use",
    () => [{ id: known.typeId }],
    "FailedPrecondition",
    "is in use",
  ),
  row(
    ConfigurationService,
    "deleteCredentialType",
    "staff",
    "an unknown one",
    () => [{ id: UNKNOWN_ID }],
    "NotFound",
    "There is no credential type",
  ),

  row(ConfigurationService, "uploadAsset", "staff", "a drawing", () => upload("crest")),
  row(
    ConfigurationService,
    "uploadAsset",
    "staff",
    "one cut off",
    () => upload("crest").slice(0, 1),
    "InvalidArgument",
    "ends after 0 of the",
  ),
  row(ConfigurationService, "listAssets", "staff", "the first", () => [{ pageSize: 1 }]),
  row(
    ConfigurationService,
    "listAssets",
    "staff",
    "a negative size",
    () => [{ pageSize: -1 }],
    "InvalidArgument",
    "page_size",
  ),
  row(ConfigurationService, "deleteAsset", "staff", "one", () => (door) => [{ slug: `gone-${door}` }]),
  row(
    ConfigurationService,
    "deleteAsset",
    "staff",
    "an unknown one",
    () => [{ slug: "nothing" }],
    "NotFound",
    'no asset named "nothing"',
  ),
  row(ConfigurationService, "previewCredential", "staff", "a configuration", () => [
    { source: { case: "configurationId" as const, value: known.configurationId } },
  ]),
  row(
    ConfigurationService,
    "previewCredential",
    "staff",
    "nothing",
    () => [{}],
    "InvalidArgument",
    "source is missing",
  ),

  row(ConfigurationService, "listFunctions", "staff", "all", () => [{}]),
  row(
    ConfigurationService,
    "listFunctions",
    "staff",
    "a negative size",
    () => [{ pageSize: -1 }],
    "InvalidArgument",
    "page_size",
  ),

  row(EligibilityService, "getEligibility", "learner", "his own", () => [{ learningContextKey: COURSE }]),
  row(EligibilityService, "getEligibility", "staff", "another's", () => [
    { learningContextKey: COURSE, username: "ben" },
  ]),
  row(EligibilityService, "getEligibility", "staff", "an unknown function", () => [
    { learningContextKey: COURSE, retrievalFunc: "no.such" },
  ]),
  row(
    EligibilityService,
    "getEligibility",
    "learner",
    "another's",
    () => [{ learningContextKey: COURSE, username: "ben" }],
    "PermissionDenied",
    "Only staff",
  ),
  row(
    EligibilityService,
    "getEligibility",
    "learner",
    "a closed course",
    () => [{ learningContextKey: "course-v1:A+B+C" }],
    "NotFound",
    "not found, or you have no access",
  ),
  row(
    EligibilityService,
    "getEligibility",
    "staff",
    "a stranger's",
    () => [{ learningContextKey: COURSE, username: "zoë" }],
    "NotFound",
    'no learner named "zoë"',
  ),
  row(
    EligibilityService,
    "getEligibility",
    "learner",
    "a malformed key",
    () => [{}],
    "InvalidArgument",
    '""',
  ),

  row(EligibilityService, "listEligibleLearners", "staff", "some", () => [
    { configurationId: known.configurationId },
  ]),
  row(
    EligibilityService,
    "listEligibleLearners",
    "staff",
    "an unknown configuration",
    () => [{ configurationId: UNKNOWN_ID }],
    "NotFound",
    "There is no credential configuration",
  ),
  row(
    EligibilityService,
    "listEligibleLearners",
    "staff",
    "no configuration",
    () => [{}],
    "InvalidArgument",
    "configuration_id is 0",
  ),

  row(LearnerRecordService, "upsertRecords", "write service", "a record", () => (door) => [
    { records: [learner(`New ~${door}~`)] },
  ]),
  row(
    LearnerRecordService,
    "upsertRecords",
    "write service",
    "nothing",
    () => [{}],
    "InvalidArgument",
    "records",
  ),
  row(
    LearnerRecordService,
    "upsertRecords",
    "write service",
    "a wrong record",
    () => [{ records: [{ kind: { case: "learner" as const, value: {} } }] }],
    "InvalidArgument",
    "learner.username is empty",
  ),

  row(LearnerRecordService, "eraseLearner", "write service", "one", () => (door) => [
    { username: `gone ${door}` },
  ]),
  row(
    LearnerRecordService,
    "eraseLearner",
    "write service",
    "a stranger",
    () => [{ username: "zoë" }],
    "NotFound",
    'no learner named "zoë"',
  ),

  row(LearnerRecordService, "importRecords", "write service", "two messages", () => (door) => [
    { records: [learner(`A ~${door}~`)] },
    { records: [learner(`B ~${door}~`)] },
  ]),
  row(LearnerRecordService, "importRecords", "write service", "nothing", () => []),
  row(
    LearnerRecordService,
    "importRecords",
    "write service",
    "a wrong record",
    () => [{ records: [learner("C")] }, { records: [{}] }],
    "InvalidArgument",
    "The record says nothing",
  ),
];

describe("every door gives the same", () => {
  it.each(table.map((call) => ({ ...call, name: call.method.name })))(
    "$name: $what -> $code",
    async (call) => {
      const answers = await answersOf(call);
      expect(answers[0]).toMatchObject({
        code: call.code,
        message: call.says && expect.stringContaining(call.says),
      });
      for (const [index, answer] of answers.entries()) {
        const door = doors[index]?.[0];
        expect({ door, ...answer }).toEqual({ door, ...answers[0] });
      }
    },
  );

  it("has every method in the table, with success and with a refusal", () => {
    for (const refused of [false, true]) {
      const covered = table
        .filter(({ code }) => (code !== "OK") === refused)
        .map(({ method }) => method.name);
      expect(methods.map(({ name }) => name).filter((name) => !covered.includes(name))).toEqual([]);
    }
  });
});

describe("a deadline reaches the database", () => {
  const cases: [
    name: string,
    locked: string,
    service: DescService,
    method: string,
    as: string,
    request: () => object,
  ][] = [
    [
      "unary",
      "enrollments",
      EligibilityService,
      "getEligibility",
      "learner",
      () => ({ learningContextKey: COURSE }),
    ],
    [
      "public",
      "credentials",
      CredentialService,
      "getCredentialMetadata",
      "nobody",
      () => ({ verifyUuid: known.verifyUuid }),
    ],
    [
      "writing",
      "learners",
      LearnerRecordService,
      "upsertRecords",
      "write service",
      () => ({ records: [learner("D")] }),
    ],
    [
      "server stream",
      "learners",
      EligibilityService,
      "listEligibleLearners",
      "staff",
      () => ({ configurationId: known.configurationId }),
    ],
    [
      "client stream",
      "learners",
      LearnerRecordService,
      "importRecords",
      "write service",
      () => ({ records: [learner("E")] }),
    ],
  ];

  const calls = doors.flatMap(([door, client]) =>
    cases
      .filter(([name]) => door === "@grpc/grpc-js" || name === "unary")
      .map(([name, ...rest]) => [`${door}, ${name}`, client, ...rest] as const),
  );

  it.each(calls)("%s", async (_, client, locked, service, method, as, request) => {
    const { knex } = academy.service.app.database;
    const lock = await knex.transaction();
    onTestFinished(async () => void (await lock.rollback()));
    await lock.raw(`lock table ${locked} in access exclusive mode`);
    const waiting = async () => {
      const { rows } = await knex.raw(
        `select query from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and wait_event_type = 'Lock'`,
      );
      return rows.length;
    };
    const token = tokens[as];
    const { code } = await withinADeadline(
      (timeoutMs) => client(service, method, [request()], { timeoutMs, ...(token && { token }) }),
      waiting,
    );
    expect(code).toBe(Code.DeadlineExceeded);
    await expect.poll(waiting, { interval: 10 }).toBe(0); // though the table stays locked
  });
});
