import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DescField, DescMessage, DescMethod } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { loadChapter } from "#console/i18n/load-chapter.js";
import { AdministrationService } from "#gen/learning_credentials/v1/administration_service_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { LtiService } from "#gen/learning_credentials/v1/lti_service_pb.js";
import { PreviewLinkService } from "#gen/learning_credentials/v1/preview_link_service_pb.js";
import { WebhookService } from "#gen/learning_credentials/v1/webhook_service_pb.js";

const words = await loadChapter("explanations", "en");

const ROOT = join(import.meta.dirname, "../../src/console");
const sources = readdirSync(ROOT, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".tsx"))
  .map((file) => readFileSync(join(ROOT, file), "utf8"));
const services = [
  AdministrationService,
  ConfigurationService,
  CredentialService,
  LearnerRecordService,
  LtiService,
  PreviewLinkService,
  WebhookService,
];

/** Methods that the console calls to change something. */
const changes: DescMethod[] = services
  .flatMap(({ methods }) => methods)
  .filter(({ localName, proto }) => {
    const isReading = proto.options?.idempotencyLevel === 1; // NO_SIDE_EFFECTS
    return !isReading && sources.some((source) => new RegExp(`\\bmethod\\.${localName}\\b`).test(source));
  });

/** Fields that nobody fills in: the console sets them, or they are part of responses. */
const CHOSEN = new Set(
  `id uuid session_id plan_hash etag credential_type_etag connector learning_context_key organisation logo
   retrieval_func generation_func last_error set_by language created_by state_reason task warnings
   credential_type_name learning_context_name recorded_name recorded_email assignment_type deployment_id
   frame_origins letter_grades`.split(/\s+/),
);

/** Returns the text and number fields of a request, at any depth. */
function leavesOf(message: DescMessage, seen = new Set<DescMessage>()): DescField[] {
  if (seen.has(message) || message.typeName.startsWith("google.")) return [];
  return message.fields.flatMap((field) => {
    if (field.message) return leavesOf(field.message, new Set([...seen, message]));
    const isText = field.fieldKind === "scalar" && field.scalar === 9;
    return isText || (field.fieldKind === "list" && field.listKind === "scalar") ? [field] : [];
  });
}

test("every text that a person sends has its label in errors: that of the field, or a word for it", () => {
  expect(changes.length).toBeGreaterThan(25);
  const onScreen = new Set(
    sources.flatMap((source) => [
      ...[...source.matchAll(/(?:data-)?field="([\w.]+)"|field: "([\w.]+)"/g)].map(
        ([, one, other]) => (one ?? other ?? "").split(".").at(-1) ?? "",
      ),
      ...[...source.matchAll(/\bfield\("(\w+)"/g)].map(([, name]) => name ?? ""),
      // Fields of the same kind, listed by name.
      ...[...source.matchAll(/\(\[([^\]]+)\] as const\)\.map\(/g)].flatMap(([, names = ""]) =>
        [...names.matchAll(/"(\w+)"/g)].map(([, name = ""]) => name),
      ),
    ]),
  );
  const unnamed = changes.flatMap((method) =>
    leavesOf(method.input)
      .filter(({ name }) => !onScreen.has(name) && !Object.hasOwn(words.fields, name) && !CHOSEN.has(name))
      .map(({ name }) => `${method.name}: ${name}`),
  );
  expect(unnamed).toEqual([]);
});

test("labels of fields, on the screen and in errors, belong to existing fields", () => {
  const names = new Set(
    services
      .flatMap(({ methods }) => methods)
      .flatMap(({ input }) => allNames(input))
      .concat("slug"),
  );
  const written = sources.flatMap((source) =>
    [...source.matchAll(/(?:data-)?field="([\w.]+)"/g)].map(([, path]) => path ?? ""),
  );
  expect(written.length).toBeGreaterThan(20);
  const labels = [...written, ...Object.keys(words.fields)];
  expect(labels.filter((path) => !names.has(path.split(".").at(-1) ?? ""))).toEqual([]);
});

function allNames(message: DescMessage, seen = new Set<DescMessage>()): string[] {
  if (seen.has(message)) return [];
  return message.fields.flatMap((field) => [
    field.name,
    ...(field.message ? allNames(field.message, new Set([...seen, message])) : []),
  ]);
}

test("the fields that nobody fills in exist", () => {
  const names = new Set(changes.flatMap(({ input }) => leavesOf(input)).map(({ name }) => name));
  expect([...CHOSEN].filter((name) => !names.has(name))).toEqual([]);
});
