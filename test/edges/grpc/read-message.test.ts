import { type DescMessage, fromBinary } from "@bufbuild/protobuf";
import { DescriptorProtoSchema, StructSchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ConfigurationService } from "../../../gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialService } from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import { EligibilityService } from "../../../gen/learning_credentials/v1/eligibility_service_pb.js";
import { LearnerRecordService } from "../../../gen/learning_credentials/v1/learner_record_service_pb.js";
import { createMessageReader } from "../../../src/edges/grpc/read-message.js";
import { anyMessage } from "./any-message.js";

const requests = [CredentialService, ConfigurationService, EligibilityService, LearnerRecordService].flatMap(
  ({ methods }) => methods.map(({ input }) => input),
);

test.each(requests.map((schema) => [schema.typeName, schema] as const))(
  "%s: any bytes are read as the library reads them",
  (_, schema) => {
    const read = createMessageReader(schema);
    const outcomeOf = (decode: () => unknown) => {
      try {
        return { message: decode() };
      } catch {
        return "refused";
      }
    };
    let readable = 0;
    fc.assert(
      fc.property(anyBytes(schema), (bytes) => {
        const expected = outcomeOf(() => fromBinary(schema, bytes, { readUnknownFields: false }));
        expect(outcomeOf(() => read(bytes))).toEqual(expected);
        if (expected !== "refused") readable++;
      }),
      { numRuns: 100 },
    );
    expect(readable).toBeGreaterThan(10);
  },
);

test.each([StructSchema, DescriptorProtoSchema])("$typeName is read by the library", (schema) => {
  const bytes = Buffer.from([0x0a, 0x02, 0x0a, 0x00]);
  expect(createMessageReader(schema)(bytes)).toEqual(fromBinary(schema, bytes));
});

/** Encoded messages of this type, some of them truncated or altered. */
function anyBytes(schema: DescMessage): fc.Arbitrary<Buffer> {
  const whole = anyMessage(schema, 4);
  const damaged = fc.tuple(whole, fc.nat(), fc.nat(255), fc.boolean()).map(([bytes, at, byte, isCut]) => {
    if (bytes.length === 0) return bytes;
    const index = at % bytes.length;
    if (isCut) return bytes.subarray(0, index);
    const changed = Buffer.from(bytes);
    changed[index] = byte;
    return changed;
  });
  return fc.oneof({ weight: 2, arbitrary: whole }, { weight: 1, arbitrary: damaged });
}
