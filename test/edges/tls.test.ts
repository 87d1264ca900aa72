import { readFileSync } from "node:fs";
import { get } from "node:https";
import { join } from "node:path";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { Client, credentials } from "@grpc/grpc-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  GetCredentialMetadataRequestSchema,
  GetCredentialMetadataResponseSchema,
} from "../../gen/learning_credentials/v1/credential_service_pb.js";
import { readTlsIdentity } from "../../src/edges/tls.js";
import { Problem } from "../../src/errors.js";
import { startTestService, type TestService } from "../support/service.js";

const fixture = (name: string) => join(import.meta.dirname, "tls", name);
const identity = { certFile: fixture("localhost.crt"), keyFile: fixture("localhost.key") };
const ca = readFileSync(identity.certFile);

let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    settings: { TLS_CERT_FILE: identity.certFile, TLS_KEY_FILE: identity.keyFile },
  });
});

afterAll(() => service?.stop());

test("the HTTP port speaks TLS, and nothing else", async () => {
  const url = `${service.httpUrl.replace("http:", "https:")}/livez`;
  const status = await new Promise((resolve, reject) => {
    get(url, { ca }, (response) => resolve(response.resume().statusCode)).on("error", reject);
  });
  expect(status).toBe(200);
  await expect(fetch(`${service.httpUrl}/livez`)).rejects.toThrow();
});

test("the gRPC port speaks TLS", async () => {
  const client = new Client(service.grpcAddress, credentials.createSsl(ca));
  const code = await new Promise((resolve) => {
    client.makeUnaryRequest(
      "/learning_credentials.v1.CredentialService/GetCredentialMetadata",
      (request) => Buffer.from(toBinary(GetCredentialMetadataRequestSchema, request)),
      (bytes) => fromBinary(GetCredentialMetadataResponseSchema, bytes),
      create(GetCredentialMetadataRequestSchema, { verifyUuid: "unknown" }),
      (error) => resolve(error?.code),
    );
  });
  client.close();
  expect(code).toBe(5);
});

test.each([
  [{ certFile: "/absent" }, /^TLS_CERT_FILE: \/absent can't be read: ENOENT/],
  [{ keyFile: "/absent" }, /^TLS_KEY_FILE: \/absent can't be read: ENOENT/],
  [{ certFile: identity.keyFile }, /^TLS_CERT_FILE: .* holds no certificate in PEM/],
  [{ keyFile: fixture("other.key") }, /^TLS_KEY_FILE: .* does not hold the key of the certificate/],
])("what can't be used is refused by the name of its setting: %o", async (wrong, message) => {
  const refusal = await readTlsIdentity({ ...identity, ...wrong }).catch((error) => error);
  expect(refusal).toBeInstanceOf(Problem);
  expect(refusal.message).toMatch(message);
});
