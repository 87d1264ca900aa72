import { randomUUID } from "node:crypto";
import {
  create,
  type DescField,
  type DescMessage,
  type DescService,
  type Message,
  type MessageShape,
  ScalarType,
  toJson,
} from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { Role } from "#gen/learning_credentials/options/v1/options_pb.js";
import {
  AdministrationService,
  ConnectorSettingsSchema,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import {
  BrandSchema,
  CredentialConfigurationSchema,
  CredentialTypeSchema,
} from "#gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialService, EmailTextsSchema } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import {
  LtiAcceptanceSchema,
  LtiPlatformSettingsSchema,
  LtiRosterMode,
  LtiService,
} from "#gen/learning_credentials/v1/lti_service_pb.js";
import { RecordSchema } from "#gen/learning_credentials/v1/record_pb.js";
import { WebhookEndpointSchema } from "#gen/learning_credentials/v1/webhook_pb.js";
import { WebhookService } from "#gen/learning_credentials/v1/webhook_service_pb.js";
import { assetParts } from "../assets/asset-parts.js";
import { LTI_SETTINGS } from "../lti/lti-service.js";
import { givenService, tokenOf } from "../support/service.js";
import { BOTH, GRADES, newCourse, newName, PDF } from "./configurations/configurator.js";
import { methods } from "./services.js";

// Sets every field that callers create, update or report to two different values, one after the other, and reads it
// back. A field that is added to `proto/` is tested without any change to this file, unless only some values of the
// field are valid.

const service = givenService({ settings: LTI_SETTINGS });

/** Which of the two values of a field is used. */
type Turn = 0 | 1;

/** Two valid values of a field, or why the caller can't set it. */
type Values = readonly [unknown, unknown] | "set by the service" | "fixed" | "key" | "an instruction";

/** The smallest PNG. */
const DOT = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

const emails = ["first@example.org", "second@example.org"] as const;
const urls = ["https://first.example.org/a", "https://second.example.org/b"] as const;

/** Fields that only accept some values, by message. All other fields get any text or number. */
const valuesOf: Readonly<Record<string, Readonly<Record<string, Values>>>> = {
  CredentialType: {
    id: "set by the service",
    retrievalFunc: [GRADES, BOTH],
    generationFunc: [PDF, PDF],
    customOptions: [{ required_grades: { Exam: 0.6 } }, { required_grades: { Exam: 0.7 } }],
    etag: "set by the service",
  },
  CredentialConfiguration: {
    id: "set by the service",
    learningContextKey: "fixed",
    credentialTypeId: "fixed",
    customOptions: [{ accent_color: "#112233" }, { accent_color: "#332211" }],
    warnings: "set by the service",
    etag: "set by the service",
    credentialTypeName: "set by the service",
    learningContextName: "set by the service",
  },
  CredentialSchedule: {
    enabled: [true, true],
    cron: ["0 6 * * MON", "0 6 * * MON"],
    once: [true, true],
    timeZone: ["Europe/Berlin", "Europe/Kyiv"],
    startTime: [timestampFromDate(new Date("2090-01-01")), timestampFromDate(new Date("2091-01-01"))],
    endTime: [timestampFromDate(new Date("2095-01-01")), timestampFromDate(new Date("2096-01-01"))],
    nextRunTime: "set by the service",
    lastError: "set by the service",
    setBy: "set by the service",
  },
  WebhookEndpoint: {
    id: "set by the service",
    url: ["https://127.0.0.1:9999/a", "https://127.0.0.1:9999/b"],
    contact: emails,
    state: "set by the service",
    stateReason: "set by the service",
    deliveredUpTo: "set by the service",
    lag: "set by the service",
    oldestPendingTime: "set by the service",
    failureStartTime: "set by the service",
    nextAttemptTime: "set by the service",
    lastSuccessTime: "set by the service",
    previousSecretExpireTime: "set by the service",
    createTime: "set by the service",
    createdBy: "set by the service",
  },
  Brand: {
    organisation: "key",
    accentColor: ["#112233", "#332211"],
    logo: ["first", "second"],
    contact: emails,
    imprintUrl: urls,
    etag: "set by the service",
  },
  ConnectorSettings: {
    id: "key",
    type: "fixed",
    baseUrl: urls,
    options: [{ organisation: "First" }, { organisation: "Second" }],
    secrets: "set by the service",
    etag: "set by the service",
    updateTime: "set by the service",
  },
  LtiPlatformSettings: {
    issuer: urls,
    authorizationUrl: urls,
    tokenUrl: urls,
    jwksUrl: urls,
  },
  LtiAcceptance: {
    organisations: [["First"], ["Second"]],
    teacherRole: [Role.VIEWER, Role.DESIGNER],
    connector: ["", "second"],
    rosters: [LtiRosterMode.LISTED, LtiRosterMode.UNSPECIFIED],
  },
  EmailTexts: { organisation: "key", etag: "set by the service" },
  EmailText: { language: ["de", "fr"] },
  Learner: {
    username: "key",
    email: emails,
    locale: ["de", "fr"],
    attributes: [{ cohort: "first" }, { cohort: "second" }],
    takeOver: "an instruction",
  },
  Course: { courseKey: "key", gradingPolicy: [[entry("Exam")], [entry("Lab")]] },
  LearningPath: { pathKey: "key", stepCourseKeys: [["course-v1:U+1+1"], ["course-v1:U+2+1"]] },
  Enrollment: {
    username: "key",
    learningContextKey: "key",
    attributes: [{ cohort: "first" }, { cohort: "second" }],
  },
  SubsectionGrade: { username: "key", courseKey: "key", usageKey: "key", earned: [1, 2], possible: [10, 20] },
  Completion: { username: "key", courseKey: "key", percent: [0.25, 0.75] },
  CourseGrade: { username: "key", courseKey: "key", percent: [0.25, 0.75] },
};

function entry(assignmentType: string) {
  return { assignmentType, weight: 1 };
}

/** The keys of records, which are the same in both turns. */
const keys = {
  username: "ada",
  courseKey: "course-v1:Uni+Fields+2026",
  pathKey: "path-v1:Uni+Fields+2026+a",
  learningContextKey: "course-v1:Uni+Fields+2026",
  usageKey: "block-v1:Uni+Fields+2026+type@sequential+block@a",
};

/** Values by the name of their field in TypeScript. */
type Fields = Readonly<Record<string, unknown>>;

const given = ({ parent, localName }: DescField) => valuesOf[parent.name]?.[localName];

/**
 * Returns the fields that the caller sets and may change. Of several fields of which only one can be set, it returns a
 * different one for each turn.
 */
function settable(message: DescMessage, turn: Turn): DescField[] {
  return message.fields.filter((field) => {
    if (typeof given(field) === "string") return false;
    return field.oneof === undefined || field.oneof.fields[turn] === field;
  });
}

/** Returns a message with every field that the caller sets. */
function filled(message: DescMessage, turn: Turn): Fields {
  const values: Record<string, unknown> = {};
  for (const field of settable(message, turn)) {
    const value = aValue(field, turn);
    if (field.oneof === undefined) values[field.localName] = value;
    else values[field.oneof.localName] = { case: field.localName, value };
  }
  return values;
}

function aValue(field: DescField, turn: Turn): unknown {
  const values = given(field);
  if (Array.isArray(values)) return values[turn];
  switch (field.fieldKind) {
    case "list": {
      const one = field.listKind === "message" ? filled(field.message, turn) : some(field, turn);
      return [one];
    }
    case "message":
      return filled(field.message, turn);
    case "map":
      return { [`key of ${turn}`]: `${field.name} ${turn}` };
    default:
      return some(field, turn);
  }
}

/** Returns a value that differs from the default and from the value of the other turn. */
function some(field: DescField, turn: Turn): unknown {
  if (field.enum) return field.enum.values[1 + turn]?.number;
  if (field.scalar === ScalarType.STRING) return `${field.name} ${turn}`;
  return field.scalar === ScalarType.BOOL ? turn === 0 : 3 + turn;
}

/**
 * Returns the values with one field replaced from other values. Fields of which only one can be set are replaced
 * together.
 */
function withField(values: Fields, others: Fields, { oneof, localName }: DescField): Fields {
  const key = oneof?.localName ?? localName;
  return { ...values, [key]: others[key] };
}

/** How a message is created or changed, and read back. */
interface Transports<M extends Message = Message> {
  /** Creates the message, or replaces it as a whole. */
  create(message: M): Promise<unknown>;
  read(): Promise<M | undefined>;
  /** Returns the latest saved revision of the message. */
  revision?(): Promise<M | undefined>;
  /** Changes one field. Without this method, the whole message is replaced. */
  update?(message: M, path: string): Promise<unknown>;
}

const PLATFORM = { username: "platform", service: "write" } as const;
const clientOf = async <S extends DescService>(of: S) => service.client(of, await tokenOf(PLATFORM));

/** Messages that callers create and change, by name. */
const resources: Record<string, () => Promise<Transports>> = {
  CredentialType: async () => {
    const client = await clientOf(ConfigurationService);
    let id = 0;
    return transports(CredentialTypeSchema, {
      create: async (credentialType) => ({ id } = await client.createCredentialType({ credentialType })),
      read: () => client.getCredentialType({ id }),
      revision: async () =>
        (await client.listRevisions({ source: { case: "credentialTypeId", value: id } })).revisions[0]
          ?.credentialType,
      update: (type, path) =>
        client.updateCredentialType({ credentialType: { ...type, id }, updateMask: { paths: [path] } }),
    });
  },

  CredentialConfiguration: async () => {
    const client = await clientOf(ConfigurationService);
    const type = { name: newName(), retrievalFunc: GRADES, generationFunc: PDF };
    const { id: credentialTypeId } = await client.createCredentialType({
      credentialType: { ...type, customOptions: { required_grades: { Exam: 0.6 } } },
    });
    const fixed = { learningContextKey: newCourse(), credentialTypeId };
    let id = 0;
    return transports(CredentialConfigurationSchema, {
      async create(configuration) {
        ({ id } = await client.createCredentialConfiguration({
          credentialConfiguration: { ...configuration, ...fixed },
        }));
        expect(await client.getCredentialConfiguration({ id })).toMatchObject(fixed);
      },
      read: () => client.getCredentialConfiguration({ id }),
      async revision() {
        const { revisions } = await client.listRevisions({
          source: { case: "configurationId", value: id },
        });
        const { schedule } = await client.getCredentialConfiguration({ id });
        const fields: Fields = { ...revisions[0]?.credentialType, ...revisions[0], schedule };
        return create(CredentialConfigurationSchema, fields as never);
      },
      update: (configuration, path) =>
        client.updateCredentialConfiguration({
          credentialConfiguration: { ...configuration, id },
          updateMask: { paths: [path] },
        }),
    });
  },

  WebhookEndpoint: async () => {
    const client = await clientOf(WebhookService);
    let id = "";
    return transports(WebhookEndpointSchema, {
      async create(webhookEndpoint) {
        id = (await client.createWebhookEndpoint({ webhookEndpoint })).webhookEndpoint?.id ?? "";
      },
      read: () => client.getWebhookEndpoint({ id }),
      update: (endpoint, path) =>
        client.updateWebhookEndpoint({ webhookEndpoint: { ...endpoint, id }, updateMask: { paths: [path] } }),
    });
  },

  Brand: async () => {
    const client = await clientOf(ConfigurationService);
    for (const slug of ["first", "second"]) await client.uploadAsset(assetParts(slug, DOT));
    const organisation = "Uni";
    return transports(BrandSchema, {
      create: (brand) => client.updateBrand({ brand: { ...brand, organisation } }),
      read: async () =>
        (await client.listBrands({})).brands.find((each) => each.organisation === organisation),
    });
  },

  EmailTexts: async () => {
    const client = await clientOf(CredentialService);
    const organisation = "Uni";
    return transports(EmailTextsSchema, {
      create: (emailTexts) => client.updateEmailTexts({ emailTexts: { ...emailTexts, organisation } }),
      read: () => client.getEmailTexts({ organisation }),
    });
  },

  ConnectorSettings: async () => {
    const client = await clientOf(AdministrationService);
    let id = "";
    return transports(ConnectorSettingsSchema, {
      async create(settings) {
        const connector = { ...settings, id: `school-${randomUUID().slice(0, 8)}`, type: "moodle" };
        ({ id } = await client.createConnector({ connector, secrets: { token: "a token" } }));
      },
      read: () => client.getConnectorSettings({ id }),
    });
  },

  LtiPlatformSettings: async () => {
    const client = await clientOf(LtiService);
    return transports(LtiPlatformSettingsSchema, {
      create: (settings) => client.createLtiPlatform({ settings }),
      read: async () => (await client.listLtiPlatforms({})).platforms.at(-1)?.settings,
    });
  },

  LtiAcceptance: async () => {
    const client = await clientOf(LtiService);
    const url = "https://lms.example.org/lti";
    const settings = { issuer: url, clientId: "1", authorizationUrl: url, tokenUrl: url, jwksUrl: url };
    const { id } = await client.createLtiPlatform({ settings });
    return transports(LtiAcceptanceSchema, {
      create: (acceptance) => client.acceptLtiPlatform({ id, acceptance }),
      read: async () =>
        (await client.listLtiPlatforms({})).platforms.find((each) => each.id === id)?.acceptance,
    });
  },
};

function transports<Schema extends DescMessage>(_: Schema, of: Transports<MessageShape<Schema>>): Transports {
  return of as Transports as never;
}

/** The types of the messages that callers send to create, update or accept something. */
const described = methods
  .filter(({ name }) => /^(Create|Update|Accept)/.test(name))
  .flatMap(({ input }) => input.fields.flatMap(({ message }) => message ?? []))
  .filter(({ typeName }) => !typeName.startsWith("google.protobuf."));

describe("every field of", () => {
  it("the values that callers can set is tried here", () => {
    expect([...new Set(described.map(({ name }) => name))].sort()).toEqual(
      [...Object.keys(resources), "Course"].sort(), // courses are tested as records
    );
  });

  it.each(Object.entries(resources))("%s is stored, and changed alone", async (name, open) => {
    const schema = described.find((each) => each.name === name) as DescMessage;
    const { create: createIt, read, revision = read, update } = await open();
    const json = (fields: Fields) => toJson(schema, create(schema, fields as never)) as Fields;
    const stored = async () => toJson(schema, (await read()) as never);

    const [first, second] = [filled(schema, 0), filled(schema, 1)];
    await createIt(create(schema, first as never));
    expect(await stored()).toMatchObject(json(first));
    if (!update) {
      await createIt(create(schema, second as never));
      expect(await stored()).toMatchObject(json(second));
      return;
    }
    let expected = first;
    for (const field of settable(schema, 1)) {
      expected = withField(expected, second, field);
      await update(create(schema, second as never), field.name);
      expect(await stored(), field.name).toMatchObject(json(expected));
      expect(toJson(schema, (await revision()) as never), field.name).toMatchObject(json(expected));
    }
  });

  it.each(
    RecordSchema.oneofs
      .flatMap(({ fields }) => fields)
      .map((field) => [field.message as DescMessage, field] as const),
  )("a $name in a record changes what is stored", async (schema, kind) => {
    const client = await clientOf(LearnerRecordService);
    const observeTime = timestampFromDate(new Date("2026-01-01"));
    const count = async (values: Fields) => {
      const value = create(schema, { ...keys, ...values } as never);
      const record = create(RecordSchema, { kind: { case: kind.localName, value } as never, observeTime });
      const { summary } = await client.upsertRecords({ records: [record] });
      return summary?.written;
    };
    const [first, second] = [filled(schema, 0), filled(schema, 1)];
    expect(await count(first)).toBe(1);
    expect(await count(first)).toBe(0);
    let values = first;
    for (const field of settable(schema, 1)) {
      values = withField(values, second, field);
      expect(await count(values), field.name).toBe(1);
    }
  });
});
