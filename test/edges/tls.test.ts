import { readFileSync } from "node:fs";
import { get } from "node:https";
import { join } from "node:path";
import { type ConnectionOptions, connect } from "node:tls";
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

test.each(["HTTP", "gRPC"])("the %s port speaks with forward secrecy only", async (door) => {
  const port = Number(door === "HTTP" ? new URL(service.httpUrl).port : service.grpcAddress.split(":")[1]);
  const speak = (options: ConnectionOptions) =>
    new Promise<string>((resolve) => {
      const ALPNProtocols = door === "gRPC" ? ["h2"] : ["http/1.1"];
      const socket = connect({
        port,
        host: "127.0.0.1",
        servername: "localhost",
        ca,
        ALPNProtocols,
        ...options,
      });
      socket.once("secureConnect", () => {
        resolve(socket.getCipher().name);
        socket.destroy();
      });
      socket.once("error", () => resolve("refused"));
    });
  const v12 = { maxVersion: "TLSv1.2" } as const;
  expect(await speak({})).toMatch(/^TLS_/);
  expect(await speak(v12)).toMatch(/^ECDHE-/);
  for (const ciphers of ["AES128-SHA", "AES256-GCM-SHA384", "ECDHE-RSA-AES128-SHA", "AES128-GCM-SHA256"]) {
    expect(await speak({ ...v12, ciphers: `${ciphers}:@SECLEVEL=0` })).toBe("refused");
  }
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
