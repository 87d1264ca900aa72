import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { get, request } from "node:https";
import { join } from "node:path";
import { type ConnectionOptions, connect } from "node:tls";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { Client, credentials, Metadata } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readTlsIdentity } from "#edges/tls.js";
import { Problem } from "#foundation/errors.js";
import {
  GetCredentialMetadataRequestSchema,
  GetCredentialMetadataResponseSchema,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import { givenDirectory } from "../support/directory.js";
import { givenService, startTestService, type TestService, tokenOf } from "../support/service.js";

const fixture = (name: string) => join(import.meta.dirname, "tls", name);
const identity = { certFile: fixture("localhost.crt"), keyFile: fixture("localhost.key") };
const ca = readFileSync(identity.certFile);

const service = givenService({
  settings: { TLS_CERT_FILE: identity.certFile, TLS_KEY_FILE: identity.keyFile },
});

test("the HTTP port speaks only TLS", async () => {
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

test.each(["HTTP", "gRPC"])("the %s port accepts only forward secrecy", async (transport) => {
  const port = Number(transport === "HTTP" ? new URL(service.httpUrl).port : service.grpcPort);
  const speak = (options: ConnectionOptions) =>
    new Promise<string>((resolve) => {
      const ALPNProtocols = transport === "gRPC" ? ["h2"] : ["http/1.1"];
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
  [{ certFile: identity.keyFile }, /^TLS_CERT_FILE: .* contains no certificate in PEM/],
  [{ clientCaFile: "/absent" }, /^TLS_CLIENT_CA_FILE: \/absent can't be read: ENOENT/],
  [{ clientCaFile: identity.keyFile }, /^TLS_CLIENT_CA_FILE: .* contains no certificate in PEM/],
  [
    { keyFile: fixture("other.key") },
    /^TLS_KEY_FILE: .* does not contain the private key of the certificate/,
  ],
])("an unusable value is refused by the name of its setting: %o", async (wrong, message) => {
  const refusal = await readTlsIdentity({ ...identity, ...wrong }).catch((error) => error);
  expect(refusal).toBeInstanceOf(Problem);
  expect(refusal.message).toMatch(message);
});

describe("with TLS_CLIENT_CA_FILE", () => {
  const METHOD = "/learning_credentials.v1.CredentialService/ListCredentials";
  const directory = givenDirectory("tls");
  let certified: TestService;

  const inDirectory = (name: string) => join(directory, name);
  const pem = (name: string) => readFileSync(inDirectory(name));
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: directory, stdio: "pipe" });
  const makeCa = (name: string) => {
    const subject = ["-subj", `/CN=${name}`, "-days", "2", "-nodes"];
    openssl(
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      ...subject,
      "-keyout",
      `${name}.key`,
      "-out",
      `${name}.crt`,
    );
  };
  const makeClient = (name: string, signer: string) => {
    const subject = ["-subj", `/CN=${name}`, "-nodes"];
    openssl(
      "req",
      "-new",
      "-newkey",
      "rsa:2048",
      ...subject,
      "-keyout",
      `${name}.key`,
      "-out",
      `${name}.csr`,
    );
    const by = ["-CA", `${signer}.crt`, "-CAkey", `${signer}.key`, "-CAcreateserial", "-days", "2"];
    openssl("x509", "-req", "-in", `${name}.csr`, ...by, "-out", `${name}.crt`);
  };

  beforeAll(async () => {
    for (const name of ["ca", "stranger"]) makeCa(name);
    makeClient("lms", "ca");
    makeClient("impostor", "stranger");
    certified = await startTestService({
      settings: {
        TLS_CERT_FILE: identity.certFile,
        TLS_KEY_FILE: identity.keyFile,
        TLS_CLIENT_CA_FILE: inDirectory("ca.crt"),
      },
    });
  });
  afterAll(() => certified?.stop());

  /** Returns the HTTP status and the gRPC code with which a call ends. */
  async function answersTo(token: string, certificate: string | undefined): Promise<unknown[]> {
    const own = certificate && { cert: pem(`${certificate}.crt`), key: pem(`${certificate}.key`) };
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const url = `${certified.httpUrl.replace("http:", "https:")}${METHOD}`;
    const status = await new Promise((resolve, reject) => {
      request(url, { ca, method: "POST", headers, agent: false, ...own }, (response) =>
        resolve(response.resume().statusCode),
      )
        .on("error", reject)
        .end("{}");
    });
    const ssl = own ? credentials.createSsl(ca, own.key, own.cert) : credentials.createSsl(ca);
    const client = new Client(certified.grpcAddress, ssl);
    const metadata = new Metadata();
    metadata.set("authorization", `Bearer ${token}`);
    const code = await new Promise((resolve) => {
      const bytes = (value: Buffer) => value;
      client.makeUnaryRequest(METHOD, bytes, bytes, Buffer.alloc(0), metadata, (error) =>
        resolve(error?.code ?? 0),
      );
    });
    client.close();
    return [status, code];
  }

  test.each<[string, Parameters<typeof tokenOf>[0], string | undefined, unknown[]]>([
    ["a service with its certificate is let in", { username: "lms", service: "read" }, "lms", [200, 0]],
    ["a service without one is not", { username: "lms", service: "read" }, undefined, [401, 16]],
    ["nor with one that others have signed", { username: "lms", service: "write" }, "impostor", [401, 16]],
    ["staff need none", { username: "registrar", isStaff: true }, undefined, [200, 0]],
    ["and may have any", { username: "registrar", isStaff: true }, "impostor", [200, 0]],
    ["a certificate makes no service of a learner", { username: "ana" }, "lms", [403, 7]],
  ])("%s", async (_rule, caller, certificate, answers) => {
    expect(await answersTo(await tokenOf(caller), certificate)).toEqual(answers);
  });
});
