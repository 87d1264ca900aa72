import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialSearchStatus } from "#gen/learning_credentials/v1/credential_search_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { issuedPdf } from "../../credentials/issued-pdf.js";
import { COURSE } from "../../support/academy.js";
import { examplesOf, NOT_A_PAGE } from "./example.js";
import { UNKNOWN_ID, UNKNOWN_UUID } from "./known.js";

const foreign = (transport: number, changes: object = {}) => ({
  verifyUuid: `0e1d2c3b-4a59-4687-9000-00000000000${transport}`,
  username: `foreign ${transport}`,
  userFullName: "Ada Lovelace",
  learningContextKey: COURSE,
  learningContextName: "Course One",
  credentialType: "Certificate",
  createTime: { seconds: 1_500_000_000n },
  file: issuedPdf("of a door"),
  ...changes,
});

const NO_CREDENTIAL = "NotFound: Credential not found.";
const NO_RUN = "NotFound: Issuance run not found.";
const GENERATING = "FailedPrecondition: is generating";

export const credentials = examplesOf(CredentialService, {
  getCredentialMetadata: [
    ["nobody: a credential", ({ verifyUuid }) => ({ verifyUuid })],
    ["nobody: in upper case", ({ verifyUuid }) => ({ verifyUuid: verifyUuid.toUpperCase() })],
    ["nobody: an unknown one", { verifyUuid: UNKNOWN_UUID }, NO_CREDENTIAL],
    ["nobody: a malformed one", { verifyUuid: "x" }, NO_CREDENTIAL],
  ],
  issueCredential: [
    ["platform: a newcomer", ({ configurationId, newcomer }) => ({ configurationId, username: newcomer })],
    ["platform: one that exists", ({ configurationId, username }) => ({ configurationId, username })],
    ["staff: no configuration", { username: "ana" }, "InvalidArgument: configuration_id is 0"],
    [
      "staff: no username",
      ({ configurationId }) => ({ configurationId }),
      "InvalidArgument: username is empty",
    ],
    [
      "staff: an unknown configuration",
      { configurationId: UNKNOWN_ID, username: "ana" },
      "NotFound: no credential configuration",
    ],
    [
      "staff: a stranger",
      ({ configurationId }) => ({ configurationId, username: "zoë" }),
      'NotFound: no learner named "zoë"',
    ],
    [
      "staff: a learner without a name",
      ({ configurationId }) => ({ configurationId, username: "eve" }),
      "FailedPrecondition: has no full name",
    ],
  ],
  claimCredential: [
    [
      "platform: for a learner",
      ({ learningContextKey, typeId, claimants: [username] }) => ({
        learningContextKey,
        credentialTypeId: typeId,
        username,
      }),
    ],
    [
      "learner: one that exists",
      ({ learningContextKey, typeId }) => ({ learningContextKey, credentialTypeId: typeId }),
      "AlreadyExists: already has a credential",
    ],
    [
      "learner: for another",
      ({ learningContextKey, typeId }) => ({
        learningContextKey,
        credentialTypeId: typeId,
        username: "ben",
      }),
      "PermissionDenied: Only staff",
    ],
    [
      "learner: in a closed course",
      ({ typeId }) => ({ learningContextKey: "course-v1:A+B+C", credentialTypeId: typeId }),
      "NotFound: not found or user does not have access",
    ],
    [
      "staff: an unknown type",
      ({ learningContextKey }) => ({ learningContextKey, credentialTypeId: UNKNOWN_ID }),
      "NotFound: is not configured",
    ],
    [
      "staff: no type",
      ({ learningContextKey }) => ({ learningContextKey }),
      "InvalidArgument: credential_type_id is 0",
    ],
  ],
  claimLegacyCredential: [
    [
      "platform: for a learner",
      ({ learningContextKey, typeId, claimants: [, username] }) => ({
        learningContextKey,
        credentialTypeId: typeId,
        username,
      }),
    ],
    [
      "learner: one that exists",
      ({ learningContextKey, typeId }) => ({ learningContextKey, credentialTypeId: typeId }),
      "AlreadyExists: already has a credential",
    ],
  ],
  listLearnerCredentials: [
    ["staff: another's", ({ learningContextKey, username }) => ({ learningContextKey, username })],
    ["learner: their own", {}],
    ["learner: another's", { username: "ben" }, "PermissionDenied: Only staff"],
    ["staff: a stranger's", { username: "zoë" }, 'NotFound: no learner named "zoë"'],
    [
      "learner: in a closed course",
      { learningContextKey: "course-v1:A+B+C" },
      "NotFound: not found or user does not have access",
    ],
    ["learner: of a malformed key", { learningContextKey: "x" }, 'InvalidArgument: "x"'],
  ],
  getCredential: [
    ["reader: a credential", ({ uuid }) => ({ uuid })],
    ["staff: an unknown one", { uuid: UNKNOWN_UUID }, NO_CREDENTIAL],
  ],
  searchCredentials: [
    [
      "reader: a name, filtered",
      ({ username, configurationId }) => ({
        query: `lear ${username}`,
        filter: { configurationId },
        pageSize: 1,
      }),
    ],
    [
      "staff: a malformed run",
      { filter: { issuanceRunId: "x" } },
      'InvalidArgument: filter.issuance_run_id is "x"',
    ],
    ["staff: a page of another search", { query: "ana", pageToken: "x" }, NOT_A_PAGE],
  ],
  countCredentials: [
    [
      "staff: valid ones",
      ({ username, configurationId }) => ({
        filter: { username, configurationId, statuses: [CredentialSearchStatus.VALID] },
      }),
    ],
    [
      "staff: an unknown status",
      { filter: { statuses: [99 as CredentialSearchStatus] } },
      "InvalidArgument: filter.statuses is 99",
    ],
  ],
  listCredentials: [
    [
      "staff: filtered",
      ({ username, learningContextKey, configurationId }) => ({
        username,
        status: CredentialStatus.AVAILABLE,
        learningContextKey,
        configurationId,
        pageSize: 1,
      }),
    ],
    ["staff: all", {}],
    ["staff: a malformed key", { learningContextKey: "x" }, 'InvalidArgument: "x"'],
    ["staff: an unknown status", { status: 9 as CredentialStatus }, "InvalidArgument: status is 9"],
    ["staff: a negative size", { pageSize: -1 }, "InvalidArgument: page_size is -1"],
    ["staff: a token of nothing", { pageToken: "x.1" }, NOT_A_PAGE],
  ],
  importCredentials: [
    [
      "platform: one a message",
      ({ transport, verifyUuid, username, learningContextKey }) => [
        { credentials: [foreign(transport)] },
        {
          credentials: [
            foreign(transport),
            foreign(transport, { verifyUuid: "x" }),
            foreign(transport, { verifyUuid, username, learningContextKey }),
          ],
          skipInvalid: true,
        },
      ],
    ],
    [
      "platform: one of an unknown type",
      { credentials: [foreign(9, { credentialType: "Diploma" })] },
      'FailedPrecondition: Credential 0 (counted from 0): 0e1d2c3b-4a59-4687-9000-000000000009 can\'t be imported: there is no credential type named "Diploma"',
    ],
  ],
  listMyCredentials: [
    ["learner: their own", {}],
    ["learner: a token of nothing", { pageToken: "x.1" }, NOT_A_PAGE],
  ],
  getDownloadUrl: [
    ["staff: an available one", ({ uuid }) => ({ uuid })],
    ["learner: their own", ({ uuid }) => ({ uuid })],
    ["learner: another's", ({ generating }) => ({ uuid: generating }), NO_CREDENTIAL],
    ["staff: one being generated", ({ generating }) => ({ uuid: generating }), GENERATING],
    ["staff: an unknown one", { uuid: "x" }, NO_CREDENTIAL],
  ],
  getVerifiableCredential: [
    ["staff: an available one", ({ uuid }) => ({ uuid })],
    ["staff: one being generated", ({ generating }) => ({ uuid: generating }), GENERATING],
    ["learner: another's", ({ generating }) => ({ uuid: generating }), NO_CREDENTIAL],
  ],
  getLearnerRecord: [
    ["staff: a learner's", ({ username }) => ({ username })],
    ["learner: their own", {}],
    ["learner: their own, as a PDF in Arabic", { format: 2, language: "ar" }],
    [
      "staff: in no format",
      { format: 9 as never },
      "InvalidArgument: format is 9; it must be one of LEARNER_RECORD_FORMAT_JSON, LEARNER_RECORD_FORMAT_PDF.",
    ],
    [
      "learner: another's",
      { username: "zoë" },
      "PermissionDenied: Only staff can request data about other learners.",
    ],
    ["staff: a stranger's", { username: "zoë" }, "FailedPrecondition: no valid credential"],
  ],
  verifyCredential: [
    ["nobody: a checksum that no file has", { subject: { case: "fileSha256", value: "0".repeat(64) } }],
    ["nobody: nothing", {}, "InvalidArgument: Neither file nor file_sha256 is given"],
  ],
  createWalletOffer: [
    ["staff: an available one", ({ uuid }) => ({ uuid })],
    ["staff: one being generated", ({ generating }) => ({ uuid: generating }), GENERATING],
  ],
  getIssuer: [["nobody: the keys", {}]],
  invalidateCredential: [
    [
      "platform: an available one",
      ({ toInvalidate }) => ({ uuid: toInvalidate, reason: "Issued in error." }),
    ],
    [
      "staff: it again, for another reason",
      ({ toInvalidate }) => ({ uuid: toInvalidate, reason: "Plagiarism." }),
      'FailedPrecondition: a different reason: "Issued in error."',
    ],
    ["staff: one being generated", ({ generating }) => ({ uuid: generating, reason: "x" }), GENERATING],
    ["staff: no reason", ({ uuid }) => ({ uuid }), "InvalidArgument: reason is empty"],
    ["staff: an unknown one", { uuid: UNKNOWN_UUID, reason: "x" }, NO_CREDENTIAL],
  ],
  reissueCredential: [
    ["platform: an available one", ({ toReissue }) => ({ uuid: toReissue, reason: "Misspelt." })],
    [
      "staff: one that was invalidated",
      ({ toInvalidate }) => ({ uuid: toInvalidate, reason: "Issued in error." }),
      "FailedPrecondition: without a successor",
    ],
    ["staff: one being generated", ({ generating }) => ({ uuid: generating, reason: "x" }), GENERATING],
    [
      "staff: a long reason",
      ({ uuid }) => ({ uuid, reason: "x".repeat(256) }),
      "InvalidArgument: reason has 256 characters",
    ],
    ["staff: a malformed uuid", { uuid: "x", reason: "x" }, NO_CREDENTIAL],
  ],
  linkReplacement: [
    ["platform: a later one", ({ withdrawn, later }) => ({ uuid: withdrawn, replacementUuid: later })],
    [
      "staff: an available one",
      ({ uuid }) => ({ uuid, replacementUuid: uuid }),
      "FailedPrecondition: only an invalidated credential can be marked as replaced",
    ],
    ["staff: an unknown one", ({ uuid }) => ({ uuid, replacementUuid: UNKNOWN_UUID }), NO_CREDENTIAL],
  ],
  resolveReview: [
    ["platform: of one that needs none", ({ uuid }) => ({ uuid })],
    ["staff: of an unknown one", { uuid: UNKNOWN_UUID }, NO_CREDENTIAL],
  ],
  revokeDownloadLinks: [
    ["platform: of an available one", ({ uuid }) => ({ uuid })],
    ["staff: of an unknown one", { uuid: UNKNOWN_UUID }, NO_CREDENTIAL],
  ],
  listEmails: [
    ["reader: about a credential", ({ toInvalidate }) => ({ credentialUuid: toInvalidate })],
    ["reader: to a learner", { username: "ana" }],
    ["staff: to a learner who is unknown", { username: "zoë" }],
    [
      "staff: a username that is too long",
      { username: "a".repeat(256) },
      "InvalidArgument: username has 256 characters; at most 255 are accepted.",
    ],
    [
      "staff: a state that is none",
      { state: 9 as number },
      "InvalidArgument: state is 9; it must be one of EMAIL_STATE_WAITING, EMAIL_STATE_SENT",
    ],
  ],
  resendEmail: [
    ["platform: one that is still waiting", ({ uuid }) => ({ uuid })],
    [
      "staff: of one that was invalidated",
      ({ toInvalidate }) => ({ uuid: toInvalidate }),
      "FailedPrecondition: The credential is invalidated: only emails about available credentials can be resent.",
    ],
  ],
  listDailyFigures: [
    ["staff: of a week", { firstDay: "2026-01-01", lastDay: "2026-01-07" }],
    ["staff: of no day", { firstDay: "2026-02-30", lastDay: "2026-03-01" }, "InvalidArgument: first_day"],
    [
      "staff: of more than a year",
      { firstDay: "2025-01-01", lastDay: "2026-03-01" },
      "InvalidArgument: last_day",
    ],
  ],
  previewEmail: [
    ["staff: in German", { kind: 1, language: "de", brand: { name: "Uni" }, mailText: "Well done" }],
    ["staff: about an unknown credential", { kind: 3, credentialUuid: UNKNOWN_UUID }, NO_CREDENTIAL],
    ["staff: of no kind", {}, "InvalidArgument: kind"],
    [
      "staff: with a placeholder that there is not",
      { kind: 1, text: { subject: "{last_day}" } },
      "InvalidArgument: text.subject",
    ],
  ],
  getEmailTexts: [
    ["staff: of the service", {}],
    ["staff: of an organisation that can't be", { organisation: "a+b" }, "InvalidArgument: organisation"],
  ],
  updateEmailTexts: [
    [
      "staff: of an organisation",
      {
        emailTexts: {
          organisation: "Uni",
          texts: [{ kind: 2, language: "de", subject: "Bis {last_day}", introduction: "Zeile\nNoch eine" }],
        },
      },
    ],
    ["staff: no texts", {}, "InvalidArgument: email_texts"],
    [
      "staff: in no language",
      { emailTexts: { texts: [{ kind: 1, language: "xx", subject: "x" }] } },
      "InvalidArgument: email_texts.texts[0].language",
    ],
  ],
  invalidateCredentials: [
    [
      "platform: those of a learner, dry",
      ({ graduate }) => ({ filter: { username: graduate }, reason: "Issued in error.", dryRun: true }),
    ],
    ["staff: those of a stranger", { filter: { username: "zoë" }, reason: "Issued in error." }],
    [
      "staff: another selection",
      { filter: { uuids: [UNKNOWN_UUID] }, reason: "x", planHash: `3.0.${"0".repeat(64)}` },
      "Aborted: The selection has changed: it was 3 credentials, and is now 0 credentials.",
    ],
    [
      "staff: an empty filter",
      { filter: {}, reason: "Issued in error." },
      "InvalidArgument: filter is empty: set at least one of username",
    ],
  ],
  reissueCredentials: [
    [
      "platform: those of a learner, dry",
      ({ graduate }) => ({ filter: { username: graduate }, reason: "Misspelt.", dryRun: true }),
    ],
    [
      "platform: those of a configuration, dry",
      ({ configurationId }) => ({ filter: { configurationId }, reason: "Misspelt.", dryRun: true }),
    ],
    [
      "staff: a hash that is none",
      { filter: { username: "zoë" }, reason: "x", planHash: "x" },
      'InvalidArgument: plan_hash is "x"; it must be the unchanged plan_hash of a dry run.',
    ],
    ["staff: those of a stranger", { filter: { username: "zoë" }, reason: "Misspelt." }],
    ["staff: no reason", { filter: { username: "ana" } }, "InvalidArgument: reason is empty"],
    ["staff: no filter", { reason: "Misspelt." }, "InvalidArgument: filter is empty"],
  ],
  startIssuanceRun: [
    ["platform: the plan of one", ({ configurationId }) => ({ configurationId, dryRun: true })],
    [
      "staff: the plan of a list",
      ({ configurationId }) => ({
        configurationId,
        dryRun: true,
        usernames: ["ana", "ben", "eve", "nobody"],
        newLearners: [{ username: "new", fullName: "New", email: "x" }],
        skipEligibilityCheck: true,
      }),
    ],
    [
      "staff: no list, and no check",
      ({ configurationId }) => ({ configurationId, skipEligibilityCheck: true }),
      "InvalidArgument: skip_eligibility_check is only allowed with a list",
    ],
    [
      "staff: an outdated plan",
      ({ configurationId }) => ({ configurationId, planHash: `7.1.${"0".repeat(64)}` }),
      "Aborted: it was to issue 7 and skip 1",
    ],
    ["staff: no configuration", {}, "InvalidArgument: configuration_id is 0"],
    [
      "staff: an unknown configuration",
      { configurationId: UNKNOWN_ID },
      "NotFound: no credential configuration",
    ],
  ],
  getIssuanceRun: [
    ["reader: a run", ({ runId }) => ({ id: runId })],
    ["staff: an unknown one", { id: UNKNOWN_UUID }, NO_RUN],
  ],
  listIssuanceRuns: [
    ["reader: all", {}],
    ["staff: those that are complete", { state: 2 }],
    [
      "staff: a state that is none",
      { state: 9 as number },
      "InvalidArgument: state is 9; it must be one of ISSUANCE_RUN_STATE_RUNNING, ISSUANCE_RUN_STATE_COMPLETE",
    ],
    ["staff: a negative size", { pageSize: -1 }, "InvalidArgument: page_size is -1"],
  ],
  listIssuanceRunFailures: [
    ["reader: of a run", ({ runId }) => ({ id: runId })],
    ["staff: of an unknown run", { id: UNKNOWN_UUID }, NO_RUN],
  ],
  watchIssuanceRun: [
    ["reader: one that has ended", ({ runId }) => ({ id: runId })],
    ["staff: an unknown one", { id: UNKNOWN_UUID }, NO_RUN],
  ],
  cancelIssuanceRun: [
    ["platform: one that has ended", ({ runId }) => ({ id: runId })],
    ["staff: a malformed id", { id: "x" }, NO_RUN],
  ],
  retryIssuanceRun: [
    ["platform: one without failures", ({ runId }) => ({ id: runId })],
    ["staff: an unknown one", { id: UNKNOWN_UUID }, NO_RUN],
  ],
  listCredentialEvents: [
    [
      "reader: of a credential",
      ({ uuid }) => ({ credentialUuid: uuid, actor: "registrar", types: [1], pageSize: 1 }),
    ],
    [
      "staff: what is no uuid",
      { credentialUuid: "x" },
      'InvalidArgument: credential_uuid is "x"; it must be the uuid of a credential',
    ],
    ["staff: a token of another list", { pageToken: "x" }, NOT_A_PAGE],
  ],
  watchCredentialEvents: [
    ["reader: those after a position", { afterPosition: 2n }],
    ["staff: a negative position", { afterPosition: -1n }, "InvalidArgument: after_position is -1"],
    [
      "staff: a hash that is none",
      { afterPosition: 1n, afterHash: "0xAB" },
      'InvalidArgument: after_hash is "0xAB"; it must be the hash of an event',
    ],
    [
      "staff: a hash without a position",
      { afterHash: "0".repeat(64) },
      "InvalidArgument: after_hash is given, but after_position is 0",
    ],
    [
      "staff: a position with another hash",
      { afterPosition: 1n, afterHash: "0".repeat(64) },
      "OutOfRange: the event there has a different hash from yours",
    ],
    [
      "staff: a position to come",
      { afterPosition: 999_999n },
      "OutOfRange: after_position is 999999, but the last event has position",
    ],
    [
      "staff: a position beyond all",
      { afterPosition: 4_611_686_018_427_387_904n },
      "OutOfRange: after_position is 4611686018427387904, but positions of this service are at most",
    ],
  ],
});
