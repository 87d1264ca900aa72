import { create, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import { StructSchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ErrorInfoSchema } from "../../../gen/google/rpc/error_details_pb.js";
import { StatusSchema } from "../../../gen/google/rpc/status_pb.js";
import { ConfigurationService } from "../../../gen/learning_credentials/v1/configuration_service_pb.js";
import type { CredentialStatus } from "../../../gen/learning_credentials/v1/credential_pb.js";
import {
  CredentialService,
  GetCredentialMetadataResponseSchema,
} from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import { EligibilityService } from "../../../gen/learning_credentials/v1/eligibility_service_pb.js";
import { LearnerRecordService } from "../../../gen/learning_credentials/v1/learner_record_service_pb.js";
import { WebhookService } from "../../../gen/learning_credentials/v1/webhook_service_pb.js";
import { createMessageWriter } from "../../../src/edges/grpc/write-message.js";
import { anyMessage } from "./any-message.js";

const responses = [
  CredentialService,
  ConfigurationService,
  EligibilityService,
  LearnerRecordService,
  WebhookService,
].flatMap(({ methods }) => methods.map(({ output }) => output));

test.each(
  [...new Set([...responses, StatusSchema, ErrorInfoSchema, StructSchema])].map(
    (schema) => [schema.typeName, schema] as const,
  ),
)("%s: any message is written as the library writes it", (_, schema) => {
  const write = createMessageWriter(schema);
  fc.assert(
    fc.property(anyMessage(schema, 3), (bytes) => {
      const message = readable(() => fromBinary(schema, bytes, { readUnknownFields: false }));
      fc.pre(message !== undefined);
      expect(write(message as Message)).toEqual(Buffer.from(toBinary(schema, message as Message)));
    }),
    { numRuns: 30 },
  );
});

test.each([1, 127, 128, 16_383, 16_384, 65_000, 65_529, 65_530, 65_536, 200_000])(
  "a text of %i characters is written as the library writes it, and so is the next message",
  (length) => {
    const write = createMessageWriter(GetCredentialMetadataResponseSchema);
    for (const userFullName of ["x".repeat(length), "\ud800é".repeat(length / 4), "Ada"]) {
      const message = create(GetCredentialMetadataResponseSchema, {
        userFullName,
        created: { seconds: 1n },
        invalidationReason: "later",
      });
      const expected = Buffer.from(toBinary(GetCredentialMetadataResponseSchema, message));
      expect(write(message).equals(expected)).toBe(true);
    }
  },
);

test("written messages share no bytes", () => {
  const write = createMessageWriter(GetCredentialMetadataResponseSchema);
  const first = write(create(GetCredentialMetadataResponseSchema, { userFullName: "Ada" }));
  write(create(GetCredentialMetadataResponseSchema, { userFullName: "Bob" }));
  expect(first.includes("Ada")).toBe(true);
});

test("a value that does not fit its field is refused in the words of the library", () => {
  const message = create(GetCredentialMetadataResponseSchema, { status: 1.5 as CredentialStatus });
  const write = createMessageWriter(GetCredentialMetadataResponseSchema);
  expect(() => write(message)).toThrow("cannot encode field");
});

function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined; // not every text is UTF-8
  }
}
