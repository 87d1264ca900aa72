import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { COURSE } from "../../support/academy.js";
import { examplesOf } from "./example.js";
import { GENERATION, RETRIEVAL, UNKNOWN_ID, UNKNOWN_UUID, upload } from "./known.js";

const customOptions = { required_grades: { Exam: 0.5 } };

const type = (transport: number) => ({
  name: `Type ~${transport}~`,
  retrievalFunc: RETRIEVAL,
  generationFunc: GENERATION,
  customOptions,
});

const NO_TYPE = "NotFound: There is no credential type";
const NO_CONFIGURATION = "NotFound: There is no credential configuration";

export const configurations = examplesOf(ConfigurationService, {
  createCredentialType: [
    ["staff: a type", ({ transport }) => ({ credentialType: type(transport) })],
    [
      "staff: it again",
      ({ transport }) => ({ credentialType: type(transport) }),
      "AlreadyExists: A credential type named",
    ],
    ["staff: nothing", {}, "InvalidArgument: credential_type is missing"],
    [
      "staff: an unknown function",
      { credentialType: { ...type(0), retrievalFunc: "no.such" } },
      "InvalidArgument: no.such",
    ],
    [
      "staff: an unknown option",
      { credentialType: { ...type(0), customOptions: { colour: 1 } } },
      "InvalidArgument: colour",
    ],
  ],
  getCredentialType: [
    ["staff: a type", ({ typeId }) => ({ id: typeId })],
    ["staff: an unknown one", { id: UNKNOWN_ID }, NO_TYPE],
    ["staff: none", {}, "InvalidArgument: id is 0"],
  ],
  listCredentialTypes: [
    ["staff: two", { pageSize: 2 }],
    ["staff: a negative size", { pageSize: -1 }, "InvalidArgument: page_size"],
  ],
  updateCredentialType: [
    [
      "staff: its name",
      ({ spareTypeId }) => ({
        credentialType: { id: spareTypeId, name: "Renamed" },
        updateMask: { paths: ["name"] },
      }),
    ],
    ["staff: an unknown one", { credentialType: { id: UNKNOWN_ID, name: "x" } }, NO_TYPE],
    [
      "staff: a name that is taken",
      ({ typeId }) => ({ credentialType: { id: typeId, name: "Disposable 0" } }),
      "AlreadyExists: Disposable 0",
    ],
    [
      "staff: an unknown field",
      ({ typeId }) => ({ credentialType: { id: typeId }, updateMask: { paths: ["id"] } }),
      "InvalidArgument: update_mask",
    ],
  ],
  deleteCredentialType: [
    ["staff: one", ({ gone }) => ({ id: gone.typeId })],
    ["staff: one in use", ({ typeId }) => ({ id: typeId }), "FailedPrecondition: is in use"],
    ["staff: an unknown one", { id: UNKNOWN_ID }, NO_TYPE],
  ],
  checkConfiguration: [
    ["learner: their course", ({ learningContextKey }) => ({ learningContextKey })],
    [
      "learner: a closed one",
      { learningContextKey: "course-v1:A+B+C" },
      "NotFound: not found or user does not have access",
    ],
    ["staff: a closed one", { learningContextKey: "course-v1:A+B+C" }],
    ["learner: a malformed key", { learningContextKey: "x" }, 'InvalidArgument: "x"'],
  ],
  checkLegacyConfiguration: [
    ["learner: their course", ({ learningContextKey }) => ({ learningContextKey })],
    [
      "learner: a closed one",
      { learningContextKey: "course-v1:A+B+C" },
      "NotFound: not found or user does not have access",
    ],
    ["learner: a malformed key", { learningContextKey: "x" }, 'InvalidArgument: "x"'],
  ],
  createCredentialConfiguration: [
    [
      "staff: one",
      ({ typeId, transport }) => ({
        credentialConfiguration: {
          learningContextKey: `course-v1:Uni+New~${transport}~+1`,
          credentialTypeId: typeId,
        },
      }),
    ],
    [
      "staff: it again",
      ({ typeId }) => ({
        credentialConfiguration: { learningContextKey: COURSE, credentialTypeId: typeId },
      }),
      "AlreadyExists: already",
    ],
    [
      "staff: an unknown type",
      { credentialConfiguration: { learningContextKey: COURSE, credentialTypeId: UNKNOWN_ID } },
      NO_TYPE,
    ],
    [
      "staff: a malformed key",
      { credentialConfiguration: { learningContextKey: "x", credentialTypeId: 1 } },
      'InvalidArgument: "x"',
    ],
    [
      "staff: one with a schedule",
      ({ typeId, transport }) => ({
        credentialConfiguration: {
          learningContextKey: `course-v1:Uni+Scheduled~${transport}~+1`,
          credentialTypeId: typeId,
          schedule: { recurrence: { case: "cron", value: "0 6 * * MON" }, timeZone: "Europe/Madrid" },
        },
      }),
    ],
    [
      "staff: a schedule that can't be",
      ({ typeId }) => ({
        credentialConfiguration: {
          learningContextKey: "course-v1:Uni+Scheduled+1",
          credentialTypeId: typeId,
          schedule: { timeZone: "Mars/Base" },
        },
      }),
      'InvalidArgument: schedule.time_zone is "Mars/Base"',
    ],
  ],
  getCredentialConfiguration: [
    ["staff: one", ({ configurationId }) => ({ id: configurationId })],
    ["staff: an unknown one", { id: UNKNOWN_ID }, NO_CONFIGURATION],
  ],
  listCredentialConfigurations: [
    ["staff: those of a course", ({ learningContextKey }) => ({ learningContextKey })],
    ["staff: a negative id", { credentialTypeId: -1 }, "InvalidArgument: credential_type_id is -1"],
  ],
  updateCredentialConfiguration: [
    [
      "staff: options",
      ({ spareConfigurationId }) => ({
        credentialConfiguration: { id: spareConfigurationId, customOptions },
      }),
    ],
    [
      "staff: no options of its own",
      ({ configurationId }) => ({
        credentialConfiguration: { id: configurationId, customOptions: {} },
        updateMask: { paths: ["*"] },
      }),
    ],
    ["staff: an unknown one", { credentialConfiguration: { id: UNKNOWN_ID } }, NO_CONFIGURATION],
    [
      "staff: a wrong option",
      ({ configurationId }) => ({
        credentialConfiguration: {
          id: configurationId,
          customOptions: { required_grades: { Exam: 2 } },
        },
      }),
      "InvalidArgument: required_grades",
    ],
  ],
  deleteCredentialConfiguration: [
    ["staff: one", ({ gone }) => ({ id: gone.configurationId })],
    [
      "staff: one with credentials",
      ({ configurationId }) => ({ id: configurationId }),
      "FailedPrecondition: credentials were issued",
    ],
    ["staff: an unknown one", { id: UNKNOWN_ID }, NO_CONFIGURATION],
  ],
  previewCredential: [
    [
      "staff: a configuration",
      ({ configurationId }) => ({ source: { case: "configurationId", value: configurationId } }),
    ],
    ["staff: a reissue", ({ uuid }) => ({ source: { case: "credentialUuid", value: uuid } })],
    [
      "staff: a reissue of one that was invalidated",
      ({ withdrawn }) => ({ source: { case: "credentialUuid", value: withdrawn } }),
      "FailedPrecondition: only an available one can be reissued",
    ],
    [
      "staff: a reissue of an unknown one",
      { source: { case: "credentialUuid", value: UNKNOWN_UUID } },
      "NotFound: Credential not found.",
    ],
    [
      "staff: a reissue with other options",
      ({ uuid }) => ({ source: { case: "credentialUuid", value: uuid }, customOptions: { hours: 4 } }),
      "InvalidArgument: custom_options can't be combined with credential_uuid",
    ],
    ["staff: nothing", {}, "InvalidArgument: source is missing"],
  ],
  listBrands: [
    ["staff: all", {}],
    ["learner: as a learner", {}, "PermissionDenied: staff"],
  ],
  updateBrand: [
    [
      "staff: of an organisation",
      { brand: { organisation: "Uni", accentColor: "#7A1F2B", contact: "help@uni.example" } },
    ],
    ["staff: no colour", { brand: { accentColor: "red" } }, "InvalidArgument: brand.accent_color"],
    [
      "staff: of an organisation that can't be",
      { brand: { organisation: "a+b" } },
      "InvalidArgument: brand.organisation",
    ],
    ["staff: no brand", {}, "InvalidArgument: brand"],
  ],
  listRevisions: [
    [
      "staff: of a configuration",
      ({ configurationId }) => ({ source: { case: "configurationId", value: configurationId } }),
    ],
    ["staff: of an unknown type", { source: { case: "credentialTypeId", value: UNKNOWN_ID } }, NO_TYPE],
    ["staff: of nothing", {}, "InvalidArgument: source is missing"],
  ],
  listDesigns: [
    ["staff: all", { language: "de" }],
    ["staff: a negative size", { pageSize: -1 }, "InvalidArgument: page_size"],
  ],
  previewSchedule: [
    [
      "staff: every month",
      { schedule: { recurrence: { case: "cron", value: "0 6 1 * *" }, timeZone: "Europe/Madrid" } },
    ],
    ["staff: none", {}, "InvalidArgument: schedule"],
    [
      "staff: a day that never comes",
      { schedule: { recurrence: { case: "cron", value: "0 6 31 2 *" } } },
      "InvalidArgument: a time that never occurs",
    ],
  ],
  listFunctions: [
    ["staff: all", {}],
    ["staff: a negative size", { pageSize: -1 }, "InvalidArgument: page_size"],
  ],
  uploadAsset: [
    ["staff: a drawing", ({ slug }) => upload(slug)],
    ["staff: one cut off", upload("crest").slice(0, 1), "InvalidArgument: ends after 0 of the"],
  ],
  listAssets: [
    ["staff: the first", { pageSize: 1 }],
    ["staff: a negative size", { pageSize: -1 }, "InvalidArgument: page_size"],
  ],
  getAsset: [
    ["staff: one", ({ slug }) => ({ slug })],
    ["staff: an unknown one", { slug: "nothing" }, 'NotFound: no asset named "nothing"'],
  ],
  deleteAsset: [
    ["staff: one", ({ gone }) => ({ slug: gone.slug })],
    ["staff: an unknown one", { slug: "nothing" }, 'NotFound: no asset named "nothing"'],
  ],
});
