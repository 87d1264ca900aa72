import { once } from "node:events";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import {
  create,
  createFileRegistry,
  type DescMethodUnary,
  type FileRegistry,
  fromBinary,
  fromJson,
} from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import {
  Client,
  type ClientDuplexStream,
  credentials,
  loadPackageDefinition,
  Metadata,
  type ServiceError,
} from "@grpc/grpc-js";
import { service as healthService } from "grpc-health-check";
import { pino } from "pino";
import protobuf from "protobufjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPipeline } from "#api/pipeline/pipeline.js";
import { createGrpcServer } from "#edges/grpc/server.js";
import { grpcStatusOf } from "#edges/grpc/status.js";
import { Problem } from "#foundation/errors.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { callGrpc, eventually, heldUp, openTransports, type Transports } from "../transports.js";

const log = pino({ level: "silent" });
let transports: Transports;
beforeAll(async () => {
  transports = await openTransports();
});
afterAll(() => transports.close());

describe("the request id", () => {
  const send = (path: string, token: string, id?: string, message = Buffer.alloc(0)) =>
    new Promise<[metadata: unknown, code: number | undefined]>((resolve) => {
      const client = genericClient(transports.grpcPort);
      const metadata = bearer(token);
      if (id !== undefined) metadata.set("x-request-id", id);
      let answered: unknown;
      const call = client.makeUnaryRequest(path, asIs, asIs, message, metadata, (error) => {
        client.close();
        setImmediate(() => resolve([answered, error?.code])); // the status is reported after the response
      });
      call.on("status", ({ metadata: trailers }) => {
        [answered] = trailers.get("x-request-id");
      });
    });
  const LIST = "/learning_credentials.v1.CredentialService/ListMyCredentials";
  const GET = "/learning_credentials.v1.CredentialService/GetCredential";

  it("of a call is returned with its response, and with its refusal", async () => {
    expect(await send(LIST, "staff", "one-1")).toEqual(["one-1", undefined]);
    expect(await send(GET, "staff", "two-2", Buffer.of(0, 1))).toEqual(["two-2", Code.InvalidArgument]);
    expect(await send(GET, "nobody", "three-3")).toEqual(["three-3", Code.Unauthenticated]);
  });

  it("is a new one if the call has none", async () => {
    const [first] = await send(LIST, "staff");
    const [second] = await send(LIST, "staff");
    expect(first).toMatch(/^[\w-]{8,}$/);
    expect(second).not.toBe(first);
  });
});

describe("a malformed message", () => {
  const malformed = [
    ["a length beyond the end", Uint8Array.of(0x0a, 0x7f, 0x01)],
    ["an illegal tag", Uint8Array.of(0x00, 0x01)],
    ["a group without end", Uint8Array.of(0x0b)],
    ["invalid UTF-8", Uint8Array.of(0x0a, 0x02, 0xc3, 0x28)],
    ["unknown groups, 10,000 deep", Buffer.from("fb07".repeat(10_000) + "fc07".repeat(10_000), "hex")],
  ] as const;

  it.each(malformed)("is refused, after authentication (%s)", async (_, bytes) => {
    const stranger = await callGrpc(transports.grpcPort, CredentialService.method.getCredential, [bytes]);
    expect(stranger.code).toBe(Code.Unauthenticated);
    const refused = await callGrpc(transports.grpcPort, CredentialService.method.getCredential, [bytes], {
      token: "staff",
    });
    expect(refused).toMatchObject({
      responses: [],
      code: Code.InvalidArgument,
      message: "The request is not a valid learning_credentials.v1.GetCredentialRequest.",
    });
  });

  it("is refused in streams", async () => {
    const [, bytes] = malformed[0];
    const { listEligibleLearners } = EligibilityService.method;
    expect(await callGrpc(transports.grpcPort, listEligibleLearners, [bytes])).toMatchObject({
      code: Code.Unauthenticated,
    });
    expect(
      await callGrpc(transports.grpcPort, listEligibleLearners, [bytes], { token: "staff" }),
    ).toMatchObject({
      code: Code.InvalidArgument,
    });
    const { importRecords } = LearnerRecordService.method;
    expect(
      await callGrpc(transports.grpcPort, importRecords, [{}, bytes], { token: "service" }),
    ).toMatchObject({
      code: Code.InvalidArgument,
    });
  });
});

it("drops an unknown field", async () => {
  const request = Buffer.from("fa07026162" + "0a0175", "hex"); // field 127: "ab", uuid: "u"
  const outcome = await callGrpc(transports.grpcPort, CredentialService.method.getCredential, [request], {
    token: "staff",
  });
  expect(outcome).toMatchObject({ responses: [{ uuid: "u" }] });
});

it("responds to an unknown method with UNIMPLEMENTED", async () => {
  const method = { ...CredentialService.method.getCredential, name: "GetNothing" } as DescMethodUnary;
  expect((await callGrpc(transports.grpcPort, method, [{}])).code).toBe(Code.Unimplemented);
});

it("refuses metadata of 100 kB", async () => {
  const { grpcPort, streamsEnded } = transports;
  const call = async (length: number) => {
    const options = { token: "staff", header: { "x-large": "x".repeat(length) } };
    const { listEligibleLearners } = EligibilityService.method;
    const { code } = await callGrpc(grpcPort, listEligibleLearners, [{ configurationId: 1 }], options);
    return [code, transports.streamsEnded - streamsEnded];
  };
  expect(await call(100_000)).toEqual([Code.Internal, 0]);
  expect(await call(1)).toEqual([undefined, 1]);
});

it("shortens an error message that is too long for the header of any client", async () => {
  const method = CredentialService.method.getCredentialMetadata;
  const { code, message } = await callGrpc(transports.grpcPort, method, [{ verifyUuid: "long" }]);
  expect([code, message]).toEqual([Code.InvalidArgument, expect.stringMatching(/^学{300,800}…$/)]);
});

it("sends an error of the longest message and field with less than 8 KB of headers", async () => {
  const message = "学".repeat(5000);
  const problem = new Problem("invalid", message, {
    field: `custom_options.${"学".repeat(100)}`,
    facts: { missing: message },
  });
  const { code, details, metadata } = grpcStatusOf(problem);
  const [bytes] = metadata?.get("grpc-status-details-bin") ?? [];
  expect(code).toBe(Code.InvalidArgument);
  const sent = encodeURIComponent(details).length + (bytes as Buffer).toString("base64").length;
  expect(sent).toBeLessThan(8000);
});

it("pauses a server stream while its reader is slow, and ends it when the reader leaves", async () => {
  const { streamsEnded } = transports;
  const client = genericClient(transports.grpcPort);
  const path = "/learning_credentials.v1.EligibilityService/ListEligibleLearners";
  const call = client.makeServerStreamRequest(path, asIs, asIs, Buffer.alloc(0), bearer("staff"));
  call.on("error", () => {});
  await new Promise((resolve) => call.once("readable", resolve));
  await heldUp(transports);
  expect(transports.streamsEnded).toBe(streamsEnded);
  call.cancel();
  await eventually(() => transports.streamsEnded > streamsEnded);
  client.close();
});

describe("health", () => {
  const names = [
    "",
    "learning_credentials.v1.CredentialService",
    "learning_credentials.v1.EligibilityService",
  ];
  const Health = loadPackageDefinition({ Health: healthService }).Health as unknown as new (
    address: string,
    creds: ReturnType<typeof credentials.createInsecure>,
  ) => HealthClient;
  interface HealthClient extends Client {
    check(
      request: { service: string },
      done: (error: ServiceError | null, answer?: { status: string }) => void,
    ): void;
    watch(request: { service: string }): AsyncIterable<{ status: string }> & { cancel(): void };
  }
  const open = () => new Health(`127.0.0.1:${transports.grpcPort}`, credentials.createInsecure());
  const check = (client: HealthClient, service: string) =>
    new Promise<string | number>((resolve) => {
      client.check({ service }, (error, answer) => resolve(error ? error.code : (answer?.status ?? "")));
    });

  it("is reported overall and for each service", async () => {
    const client = open();
    for (const name of names) expect(await check(client, name)).toBe("SERVING");
    expect(await check(client, "learning_credentials.v1.Nothing")).toBe(Code.NotFound);
    transports.setServing(false);
    for (const name of names) expect(await check(client, name)).toBe("NOT_SERVING");
    transports.setServing(true);
    client.close();
  });

  it("can be watched", async () => {
    const client = open();
    const watch = client.watch({ service: "" });
    const seen: string[] = [];
    try {
      for await (const { status } of watch) {
        seen.push(status);
        if (seen.length === 1) transports.setServing(false);
        if (seen.length === 2) transports.setServing(true);
        if (seen.length === 3) break;
      }
    } finally {
      watch.cancel();
      client.close();
    }
    expect(seen).toEqual(["SERVING", "NOT_SERVING", "SERVING"]);
  });
});

describe.each(["v1", "v1alpha"])("reflection %s", (version) => {
  it("lists the services", async () => {
    const { listServicesResponse } = await reflect(version, { listServices: "*" });
    const names = listServicesResponse.service.map(({ name }: { name: string }) => name);
    expect(names.sort()).toEqual([
      "grpc.health.v1.Health",
      "learning_credentials.v1.CredentialService",
      "learning_credentials.v1.EligibilityService",
      "learning_credentials.v1.LearnerRecordService",
    ]);
  });

  it("describes a service well enough to call it", async () => {
    const registry = await describeSymbol(version, "learning_credentials.v1.CredentialService");
    const service = registry.getService("learning_credentials.v1.CredentialService");
    const method = service?.method.getCredentialMetadata;
    if (!method) throw new Error("the method was not described");
    const { responses } = await callGrpc(transports.grpcPort, method, [{ verifyUuid: "described" }]);
    expect(responses).toMatchObject([{ userFullName: "Ada described" }]);
    const optional = registry.getMessage("learning_credentials.v1.Credential");
    expect(optional?.fields.map(({ name }) => name)).toContain("verify_uuid");
  });

  it("describes the health service with all its messages", async () => {
    const registry = await describeSymbol(version, "grpc.health.v1.Health");
    const methods = registry.getService("grpc.health.v1.Health")?.methods.map(({ name }) => name);
    expect(methods?.sort()).toEqual(["Check", "List", "Watch"]);
    const response = registry.getMessage("grpc.health.v1.HealthListResponse");
    expect(response?.fields.map(({ name, fieldKind }) => [name, fieldKind])).toEqual([["statuses", "map"]]);
  });

  it("reports an unknown symbol", async () => {
    const { errorResponse } = await reflect(version, { fileContainingSymbol: "no.Such" });
    expect(errorResponse.errorCode).toBe(Code.NotFound);
  });
});

describe("opening and closing", () => {
  const pipeline = createPipeline({ mounts: [], authenticate: () => ({ kind: "anonymous" }), log });

  it("names the setting to change when the port is in use", async () => {
    const { grpcPort: port } = transports;
    await expect(createGrpcServer({ pipeline, host: "127.0.0.1", port, log })).rejects.toEqual(
      new Problem(
        "failed-precondition",
        `gRPC can't listen on 127.0.0.1:${port}: the port is in use. Set GRPC_PORT to another port, or to 0 for any free one.`,
      ),
    );
  });

  it("waits for calls in progress", async () => {
    const other = await openTransports();
    const before = other.aborted.length;
    const begun = once(other.calls, "begun");
    const call = callGrpc(
      other.grpcPort,
      EligibilityService.method.listEligibleLearners,
      [{ configurationId: 2000 }],
      {
        token: "staff",
      },
    );
    await begun;
    await other.close(15_000);
    expect((await call).responses).toHaveLength(2000);
    expect(other.aborted).toHaveLength(before);
  });

  it("cuts off the remaining calls after its deadline", async () => {
    const other = await openTransports();
    const begun = once(other.calls, "begun");
    const call = callGrpc(other.grpcPort, CredentialService.method.getCredentialMetadata, [
      { verifyUuid: "hang" },
    ]);
    await begun;
    await other.close(100);
    expect([Code.Unavailable, Code.Canceled, Code.Internal]).toContain((await call).code);
    await eventually(() => other.aborted.length === 1);
  });

  it("refuses a service with a method that declares no access", () => {
    const file = fromJson(FileDescriptorProtoSchema, {
      name: "t.proto",
      package: "t",
      syntax: "proto3",
      messageType: [{ name: "M" }],
      service: [{ name: "S", method: [{ name: "Get", inputType: ".t.M", outputType: ".t.M" }] }],
    });
    const service = createFileRegistry(create(FileDescriptorSetSchema, { file: [file] })).getService("t.S");
    if (!service) throw new Error("no service");
    const mounts = [{ service, handlers: { get: async () => ({}) } }];
    expect(() => createPipeline({ mounts, authenticate: () => ({ kind: "anonymous" }), log })).toThrow(
      "t.S/Get declares no access",
    );
  });
});

function asIs(bytes: Buffer): Buffer {
  return bytes;
}

function genericClient(port: number): Client {
  return new Client(`127.0.0.1:${port}`, credentials.createInsecure());
}

function bearer(token: string): Metadata {
  const metadata = new Metadata();
  metadata.set("authorization", `Bearer ${token}`);
  return metadata;
}

/** Makes one exchange of the reflection protocol, as defined by the .proto in @grpc/reflection. */
// biome-ignore lint/suspicious/noExplicitAny: the .proto determines the type
async function reflect(version: string, request: Record<string, string>): Promise<any> {
  const require = createRequire(import.meta.url);
  const root = join(dirname(require.resolve("@grpc/reflection")), "..", "proto", "grpc", "reflection");
  const proto = await protobuf.load(join(root, version, "reflection.proto"));
  const requestType = proto.lookupType(`grpc.reflection.${version}.ServerReflectionRequest`);
  const responseType = proto.lookupType(`grpc.reflection.${version}.ServerReflectionResponse`);
  const client = genericClient(transports.grpcPort);
  const call: ClientDuplexStream<Buffer, Buffer> = client.makeBidiStreamRequest(
    `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
    asIs,
    asIs,
  );
  call.end(Buffer.from(requestType.encode(requestType.create(request)).finish()));
  try {
    for await (const bytes of call) return responseType.decode(bytes as Buffer);
  } finally {
    client.close();
  }
}

/** Describes a symbol like a generic client: requests its file, then the imports that did not come with it. */
async function describeSymbol(version: string, symbol: string): Promise<FileRegistry> {
  const files = new Map<string, ReturnType<typeof decodeFile>>();
  const take = (response: { fileDescriptorResponse: { fileDescriptorProto: Uint8Array[] } }) => {
    for (const bytes of response.fileDescriptorResponse.fileDescriptorProto) {
      const file = decodeFile(bytes);
      files.set(file.name, file);
    }
  };
  take(await reflect(version, { fileContainingSymbol: symbol }));
  for (const file of files.values()) {
    for (const name of file.dependency) {
      if (!files.has(name)) take(await reflect(version, { fileByFilename: name }));
    }
  }
  return createFileRegistry(create(FileDescriptorSetSchema, { file: inOrder(files) }));
}

function decodeFile(bytes: Uint8Array) {
  return fromBinary(FileDescriptorProtoSchema, bytes);
}

function inOrder(files: Map<string, ReturnType<typeof decodeFile>>) {
  const ordered = new Set<ReturnType<typeof decodeFile>>();
  const visit = (name: string) => {
    const file = files.get(name);
    if (!file || ordered.has(file)) return;
    file.dependency.forEach(visit);
    ordered.add(file);
  };
  for (const name of files.keys()) visit(name);
  return [...ordered];
}
