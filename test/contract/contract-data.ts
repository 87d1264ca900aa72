import type { JsonObject } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import type { CredentialStatus } from "#foundation/credential-status.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { completed, course, enrolled, graded, type Kind, learner } from "../support/records.js";
import { type TestService, tokenOf } from "../support/service.js";

/** The course of most cases, with three credential configurations. Ana's total of 60 is exactly the required one. */
export const ALGEBRA = "course-v1:Uni+Algebra+2026";
/**
 * A course with assignment types whose names JavaScript reorders or treats specially. Some have no points, no attempt,
 * or no policy.
 */
export const NAMES = "course-v1:Uni+Names+2026";
/** A course with extra credit: 12 of 10 points. */
export const EXTRA = "course-v1:Uni+Extra+2026";
/** A course with an exam that learners must take, although 0 points suffice. */
export const ZERO = "course-v1:Uni+Zero+2026";
/** A course with a required total of 60. Eve has 59.9999996 and Fay 59.9999994. */
export const ROUNDING = "course-v1:Uni+Rounding+2026";
/** A course whose learners have credentials in each status. */
export const STATUSES = "course-v1:Uni+Statuses+2026";
/** A course without configurations, with a key in another script. */
export const CYRILLIC = "course-v1:Uni+Алгебра+2026";
/** A course in which nobody is enrolled. It is a step of an open path. */
export const OPENED = "course-v1:Uni+Opened+2026";
/** A course that was a step of an open path. The path was withdrawn. */
export const GONE = "course-v1:Uni+Gone+2026";

/** An invite-only path with the steps `EXTRA` and `ALGEBRA`, in this order. */
export const MATHS = "path-v1:Uni+Maths+2026+A";
export const OPEN_PATH = "path-v1:Uni+Open+2026+A";
export const GONE_PATH = "path-v1:Uni+Gone+2026+A";
export const EMPTY_PATH = "path-v1:Uni+Empty+2026+A";

export const GRADES = "learning_credentials.processors.retrieve_subsection_grades";
export const COMPLETIONS = "learning_credentials.processors.retrieve_completions";
export const BOTH = "learning_credentials.processors.retrieve_completions_and_grades";

const path = (pathKey: string, stepCourseKeys: string[], inviteOnly?: boolean): Kind => ({
  case: "learningPath",
  value: { pathKey, displayName: pathKey, stepCourseKeys, ...(inviteOnly !== undefined && { inviteOnly }) },
});

const records: Kind[] = [
  learner("ana", "Ana Kovač"),
  ...["Ben", "Cyd", "Dan", "Eve", "Fay", "Gil", "Hal", "Ivo", "Joy", "Kim", "Zoe"].map((name) =>
    learner(name.toLowerCase(), name),
  ),
  learner("max+1", "Max"),

  course(ALGEBRA, "Algebra", [
    ["Homework", 0.07],
    ["Lab", 0.13],
    ["Midterm", 0.22],
    ["FINAL", 0.58],
  ]),
  enrolled("ana", ALGEBRA),
  graded("ana", ALGEBRA, "Homework", [31, 100]),
  graded("ana", ALGEBRA, "lab", [59, 100]),
  graded("ana", ALGEBRA, "MIDTERM", [54, 100]),
  graded("ana", ALGEBRA, "Final", [66, 100]),
  completed("ana", ALGEBRA, 0.95),
  enrolled("ben", ALGEBRA, false),
  enrolled("cyd", ALGEBRA),
  enrolled("ghost", ALGEBRA),
  enrolled("max+1", ALGEBRA),
  completed("max+1", ALGEBRA, 1 / 3),
  enrolled("eve", ALGEBRA),
  completed("eve", ALGEBRA, 0.8999996),

  course(NAMES, "Names", [
    ["10", 0.2],
    ["1", 0.1],
    ["2", 0.2],
    ["Labs", 0.2],
    ["Essay", 0.3],
    ["Constructor", 0],
  ]),
  enrolled("ana", NAMES),
  graded("ana", NAMES, "10", [1, 3]),
  graded("ana", NAMES, "1", [12, 10]),
  graded("ana", NAMES, "2", [5, 0]),
  graded("ana", NAMES, "Essay", [2, 3]),
  graded("ana", NAMES, "Quiz", [9, 10]),

  course(EXTRA, "Extra", [["Exam", 1]]),
  enrolled("ana", EXTRA),
  graded("ana", EXTRA, "Exam", [12, 10]),

  course(ZERO, "Zero", [["Exam", 1]]),
  enrolled("ana", ZERO),
  graded("ana", ZERO, "Exam", [0, 10]),
  enrolled("eve", ZERO),

  course(ROUNDING, "Rounding", [["Exam", 1]]),
  enrolled("eve", ROUNDING),
  graded("eve", ROUNDING, "Exam", [599_999_996, 1e9]),
  enrolled("fay", ROUNDING),
  graded("fay", ROUNDING, "Exam", [599_999_994, 1e9]),

  course(STATUSES, "Statuses"),
  ...["gil", "hal", "ivo", "joy", "kim"].map((username) => enrolled(username, STATUSES)),

  course(CYRILLIC, "Алгебра"),
  enrolled("ana", CYRILLIC),

  path(MATHS, [EXTRA, ALGEBRA]),
  enrolled("ana", MATHS),
  enrolled("ben", MATHS, false),
  enrolled("dan", MATHS),

  course(OPENED, "Opened"),
  path(OPEN_PATH, [OPENED], false),
  course(GONE, "Gone"),
  path(GONE_PATH, [GONE], false),
  enrolled("ana", GONE_PATH),
  path(EMPTY_PATH, []),
  enrolled("ana", EMPTY_PATH),
];

/** Withdrawals, sent after the other records. */
const withdrawals: Kind[] = [enrolled("cyd", ALGEBRA), path(GONE_PATH, [])];

/** The credential types with the ids 1, 2 and 3. */
const types: { name: string; retrievalFunc: string; customOptions?: JsonObject }[] = [
  {
    name: "Certificate of Achievement",
    retrievalFunc: GRADES,
    customOptions: { required_grades: { Final: 0.55, Total: 0.6 } },
  },
  { name: "Certificate of Completion", retrievalFunc: COMPLETIONS },
  {
    name: 'Diploma "with honours" – 優等',
    retrievalFunc: BOTH,
    customOptions: { required_completion: 0.5, required_grades: { Total: 0.605 } },
  },
];

/** Context, type, and options that override those of the type. Ids start at 1. */
const configurations: [learningContextKey: string, credentialTypeId: number, customOptions?: JsonObject][] = [
  [ALGEBRA, 1],
  [ALGEBRA, 2],
  [ALGEBRA, 3],
  [
    NAMES,
    1,
    {
      required_grades: {
        "2": 0.5,
        "10": 0.125,
        "1": 0.25,
        Bonus: 0.1,
        Constructor: 0.01,
        Final: null,
        Total: null,
      },
    },
  ],
  [EXTRA, 1, { required_grades: { Exam: 1, Final: null, Total: 1 } }],
  [ZERO, 1, { required_grades: { Exam: 0, Final: null, Total: null } }],
  [ROUNDING, 1, { required_grades: { Final: null } }],
  [STATUSES, 2],
  [
    MATHS,
    1,
    {
      required_grades: { Final: null },
      steps: { [ALGEBRA]: { required_grades: { Final: 0.5, Lab: 0.59 } } },
    },
  ],
  [MATHS, 3, { steps: { [EXTRA]: { required_completion: 0, required_grades: { Exam: 1 } } } }],
  [OPENED, 2, { required_completion: 0 }],
  [OPEN_PATH, 2],
  [GONE, 2],
  [GONE_PATH, 2],
  [EMPTY_PATH, 2],
];

/** Id of the configuration of `STATUSES`. */
const STATUSES_CONFIGURATION = 8;

/** A credential issued in `STATUSES`. */
interface Issued {
  readonly uuid: string;
  readonly verifyUuid: string;
  readonly username: string;
  readonly fullName: string;
  readonly status: CredentialStatus;
  readonly createdAt: string;
  /** The reason of the failure or the invalidation. */
  readonly reason?: string;
}

/** Returns the identifiers of a credential, which end with this digit. */
const numbered = (digit: number) => ({
  uuid: `5fd1e7a0-0000-4000-8000-00000000000${digit}`,
  verifyUuid: `a1b2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c5${digit}`,
});
const JANUARY = "2026-01-15T10:30:00Z";

function issuedTo(
  digit: number,
  fullName: string,
  status: CredentialStatus,
  more: Partial<Issued> = {},
): Issued {
  const username = fullName.toLowerCase();
  return { ...numbered(digit), username, fullName, status, createdAt: JANUARY, ...more };
}

export const issued = {
  GENERATING: issuedTo(1, "Gil", "generating"),
  AVAILABLE: issuedTo(2, "Hal", "available", { fullName: 'Hal "Ⅱ" O’Neill 王 🎓' }),
  FAILED: issuedTo(3, "Ivo", "error", { reason: "no font" }),
  INVALIDATED: issuedTo(4, "Joy", "invalidated", {
    createdAt: "1999-12-31T23:59:59Z",
    reason: 'Issued in error: "Joy"\n№ 7',
  }),
  REPLACED: issuedTo(5, "Kim", "invalidated", { fullName: "Kym", reason: "Misspelt" }),
  REPLACEMENT: issuedTo(6, "Kim", "available", { createdAt: "2026-02-28T00:00:00Z" }),
};

export function fileKey(credential: Issued): string {
  return `learning_credentials/${credential.uuid}/000102030405060708090a0b0c0d0e0f.pdf`;
}

/** Sets up the academy on an empty service. */
export async function importContractData(service: TestService): Promise<void> {
  const { issuer, audience } = service.app.config.auth;
  const platform = await tokenOf({ username: "lms", service: "write", issuer, audience });
  const client = service.client(LearnerRecordService, platform);
  await client.upsertRecords({ records: records.map((kind) => ({ kind })) });
  await client.upsertRecords({ records: withdrawals.map((kind) => ({ kind, deleted: true })) });
  await configure(service.client(ConfigurationService, platform));
  for (const credential of Object.values(issued)) await insert(service, credential);
}

async function configure(client: Client<typeof ConfigurationService>): Promise<void> {
  const generationFunc = "learning_credentials.generators.generate_pdf_credential";
  for (const type of types) {
    await client.createCredentialType({ credentialType: { ...type, generationFunc } });
  }
  for (const [learningContextKey, credentialTypeId, customOptions = {}] of configurations) {
    await client.createCredentialConfiguration({
      credentialConfiguration: { learningContextKey, credentialTypeId, customOptions },
    });
  }
}

/** Inserts a credential with SQL, because callers of the API can't choose issue times and identifiers. */
async function insert({ app }: TestService, credential: Issued): Promise<void> {
  const { status, reason = "" } = credential;
  const hasFile = status === "available" || status === "invalidated";
  await app.database.knex("credentials").insert({
    uuid: credential.uuid,
    verify_uuid: credential.verifyUuid,
    username: credential.username,
    configuration_id: STATUSES_CONFIGURATION,
    status,
    issued_by: "registrar",
    user_full_name: credential.fullName,
    learning_context_key: STATUSES,
    learning_context_name: "Statuses, “Uni”",
    credential_type: "Certificate of Completion",
    generation_func: "learning_credentials.generators.generate_pdf_credential",
    options: "{}",
    assets: "{}",
    print_settings: "{}",
    created_at: credential.createdAt,
    attempt: 1,
    file_key: hasFile ? fileKey(credential) : null,
    file_sha256: hasFile ? Buffer.alloc(32) : null,
    file_size: hasFile ? 1 : null,
    error_reason: status === "error" ? reason : "",
    ...(status === "invalidated" && {
      invalidation_reason: reason,
      invalidated_at: credential.createdAt,
      invalidated_by: "registrar",
    }),
  });
}
