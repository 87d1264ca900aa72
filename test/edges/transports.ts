import { EventEmitter, once } from "node:events";
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import {
  create,
  type DescMessage,
  type DescMethod,
  type DescService,
  fromBinary,
  type Message,
  type MessageInitShape,
  toBinary,
} from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { Client, credentials, Metadata, type ServiceError } from "@grpc/grpc-js";
import { pino } from "pino";
import { expect } from "vitest";
import type { Handlers } from "#api/pipeline/handlers.js";
import { createPipeline, mount } from "#api/pipeline/pipeline.js";
import { createConnectHandler } from "#edges/connect/handler.js";
import { createGrpcServer } from "#edges/grpc/server.js";
import { createClientOf } from "#edges/http/client-address.js";
import { createCors } from "#edges/http/cors.js";
import { createHttpServer } from "#edges/http/server.js";
import { Problem, type ProblemKind } from "#foundation/errors.js";
import {
  type BadRequest,
  BadRequestSchema,
  type ErrorInfo,
  ErrorInfoSchema,
} from "#gen/google/rpc/error_details_pb.js";
import { StatusSchema } from "#gen/google/rpc/status_pb.js";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import type { Authenticate } from "#infrastructure/identity/caller.js";
import { STAFF_ROLES } from "#infrastructure/identity/roles.js";

const log = pino({ level: "silent" });

export const problemKinds: Record<ProblemKind, Code> = {
  invalid: Code.InvalidArgument,
  unauthenticated: Code.Unauthenticated,
  "permission-denied": Code.PermissionDenied,
  "not-found": Code.NotFound,
  "already-exists": Code.AlreadyExists,
  "failed-precondition": Code.FailedPrecondition,
  gone: Code.FailedPrecondition,
  aborted: Code.Aborted,
  "out-of-range": Code.OutOfRange,
  "resource-exhausted": Code.ResourceExhausted,
  "too-large": Code.ResourceExhausted,
  overloaded: Code.ResourceExhausted,
  unavailable: Code.Unavailable,
  "deadline-exceeded": Code.DeadlineExceeded,
  cancelled: Code.Canceled,
};

export const maxMessageBytes = 64 * 1024;

export interface Transports {
  readonly grpcPort: number;
  readonly http: string;
  /** The abort reasons of the signals of calls so far. */
  readonly aborted: unknown[];
  /** The number of test streams that have ended, successfully or not. */
  streamsEnded: number;
  /** The number of messages that endless streams have sent. */
  endlessSent: number;
  /** Emits `begun` when one of the test handlers that wait for their callers has started. */
  readonly calls: EventEmitter;
  /** The number of client streams that the test handler has read to the end. */
  importsFinished: number;
  setServing(isServing: boolean): void;
  close(deadlineMs?: number): Promise<void>;
}

/** Serves gRPC, Connect and gRPC-Web with the real service descriptors and small test handlers. */
export async function openTransports(): Promise<Transports> {
  const aborted: unknown[] = [];
  const calls = new EventEmitter();
  const transports = { streamsEnded: 0, importsFinished: 0, endlessSent: 0 };
  const pipeline = createPipeline({
    mounts: [
      mount(CredentialService, {
        ...silent(CredentialService),
        async getCredentialMetadata({ verifyUuid }, { signal, requestId }) {
          if (verifyUuid in problemKinds) {
            throw new Problem(verifyUuid as ProblemKind, `Größe „${verifyUuid}“ 100%`, {
              cause: new Error("secret cause"),
            });
          }
          if (verifyUuid === "bug") throw new Error("secret select * from learners");
          if (verifyUuid === "request-id") return { userFullName: requestId };
          if (verifyUuid === "unencodable") return { createTime: { seconds: 10n ** 20n } };
          if (verifyUuid === "surrogate") throw new Problem("invalid", "half a \ud83d");
          if (verifyUuid === "long") throw new Problem("invalid", "学".repeat(100_000));
          if (verifyUuid === "hang") {
            calls.emit("begun");
            await once(signal, "abort");
            aborted.push(signal.reason);
          }
          return { userFullName: `Ada ${verifyUuid}`, status: CredentialStatus.AVAILABLE };
        },
        issueCredential: async ({ configurationId, username }) => ({ configurationId, username }),
        getCredential: async ({ uuid }) => ({ uuid }),
        listCredentials: async () => ({ nextPageToken: "x".repeat(1_000_000) }),
        listMyCredentials: async (_, { caller }) => ({ nextPageToken: caller.kind }),
      }),
      mount(EligibilityService, {
        ...silent(EligibilityService),
        getEligibility: async ({ learningContextKey, username }) => ({
          contextKey: `${learningContextKey} ${username}`,
        }),
        async *listEligibleLearners({ configurationId }, { signal }) {
          calls.emit("begun");
          try {
            for (let i = 0; i < Math.abs(configurationId); i++) yield { learners: [{ username: `u${i}` }] };
            if (configurationId < 0) throw new Problem("failed-precondition", "no more");
            if (configurationId > 0) return;
            yield { learners: [{ username: "first" }] };
            signal.addEventListener("abort", () => aborted.push(signal.reason));
            for (;;) {
              yield { learners: [{ username: "x".repeat(10_000) }] };
              transports.endlessSent++;
              await nextTurn();
            }
          } finally {
            transports.streamsEnded++;
          }
        },
      }),
      mount(LearnerRecordService, {
        ...silent(LearnerRecordService),
        async importRecords(requests, { signal }) {
          signal.addEventListener("abort", () => aborted.push(signal.reason));
          let received = 0;
          for await (const { records, skipInvalid } of requests) {
            if (skipInvalid) throw new Problem("invalid", `record ${received} is invalid`);
            received += records.length;
            calls.emit("begun");
          }
          transports.importsFinished++;
          return { summary: { received } };
        },
        upsertRecords: async ({ records }) => ({ summary: { received: records.length } }),
      }),
    ],
    authenticate,
    log,
  });
  const grpc = await createGrpcServer({ pipeline, host: "127.0.0.1", port: 0, log, maxMessageBytes });
  const cors = createCors(["https://lms.test"]);
  const clientOf = createClientOf(0);
  const connect = createConnectHandler({ pipeline, cors, clientOf, log, maxMessageBytes });
  const http = await createHttpServer({ handlers: [connect], host: "127.0.0.1", port: 0, log });
  return Object.assign(transports, {
    grpcPort: grpc.port,
    http: `http://127.0.0.1:${http.port}`,
    aborted,
    calls,
    setServing: grpc.setServing,
    async close(deadlineMs = 0) {
      await Promise.all([grpc.close(deadlineMs), http.close(deadlineMs)]);
    },
  });
}

/** Handlers that return empty messages. */
function silent<S extends DescService>({ methods }: S): Handlers<S> {
  return Object.fromEntries(
    methods.map(({ localName }) => [localName, async () => ({})]),
  ) as unknown as Handlers<S>;
}

const authenticate: Authenticate = ({ authorization, cookie }) => {
  switch (authorization ?? cookie) {
    case undefined:
      return { kind: "anonymous" };
    case "Bearer learner":
      return { kind: "user", username: "learner", isStaff: false, roles: [] };
    case "Bearer staff":
      return { kind: "user", username: "staff", isStaff: true, roles: STAFF_ROLES };
    case "Bearer service":
      return { kind: "service", username: "lms", canWrite: true };
    default:
      throw new Problem("unauthenticated", "The token is not valid.");
  }
};

export interface CallOptions {
  readonly token?: string;
  readonly header?: Record<string, string>;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Called with each response of a server stream. */
  readonly onResponse?: (response: Message) => void;
  /** Leaves a client stream open after the last message. */
  readonly staysOpen?: boolean;
}

/** The result of a call: its responses, and its error if it had one. */
export interface Outcome {
  readonly responses: Message[];
  readonly code?: Code;
  readonly message?: string;
  readonly details?: ErrorDetails;
}

/** The machine-readable details of an error. */
export interface ErrorDetails {
  readonly info: ErrorInfo[];
  readonly badRequest: BadRequest[];
}

function detailsOf(error: ConnectError): ErrorDetails {
  return { info: error.findDetails(ErrorInfoSchema), badRequest: error.findDetails(BadRequestSchema) };
}

/** Reads the details of an error from its gRPC trailer. */
function detailsIn({ metadata }: ServiceError): ErrorDetails {
  const [bytes] = metadata.get("grpc-status-details-bin");
  const { details = [] } = bytes instanceof Buffer ? fromBinary(StatusSchema, bytes) : {};
  const only = <D extends DescMessage>(desc: D) => details.flatMap((any) => anyUnpack(any, desc) ?? []);
  return { info: only(ErrorInfoSchema), badRequest: only(BadRequestSchema) };
}

/** Calls any method with these request messages and returns the result. */
export type Caller = <S extends DescService, M extends string & keyof S["method"]>(
  service: S,
  method: M,
  requests: S["method"][M] extends { input: infer I extends Parameters<typeof create>[0] }
    ? MessageInitShape<I>[]
    : never,
  options?: CallOptions,
) => Promise<Outcome>;

/** All clients, by name. The service must behave the same for each of them. */
export function clientsOf(transports: () => Transports): Record<string, Caller> {
  const overHttp = (open: (baseUrl: string) => Transport): Caller => {
    return (service, method, requests, options) =>
      callTransport(open(transports().http), service.method[method] as DescMethod, requests, options);
  };
  return {
    "@grpc/grpc-js": (service, method, requests, options) =>
      callGrpc(transports().grpcPort, service.method[method] as DescMethod, requests, options),
    "Connect, binary": overHttp((baseUrl) =>
      createConnectTransport({ baseUrl, httpVersion: "1.1", useBinaryFormat: true }),
    ),
    "Connect, JSON": overHttp((baseUrl) =>
      createConnectTransport({ baseUrl, httpVersion: "1.1", useBinaryFormat: false }),
    ),
    "Connect, GET": overHttp((baseUrl) =>
      createConnectTransport({ baseUrl, httpVersion: "1.1", useBinaryFormat: true, useHttpGet: true }),
    ),
    "gRPC-Web": overHttp((baseUrl) => createGrpcWebTransport({ baseUrl, httpVersion: "1.1" })),
    "gRPC-Web, JSON": overHttp((baseUrl) =>
      createGrpcWebTransport({ baseUrl, httpVersion: "1.1", useBinaryFormat: false }),
    ),
  };
}

async function callTransport(
  transport: Transport,
  method: DescMethod,
  requests: unknown[],
  { token, header, timeoutMs, signal, onResponse, staysOpen = false }: CallOptions = {},
): Promise<Outcome> {
  const headers = new Headers(header);
  if (token) headers.set("authorization", `Bearer ${token}`);
  const inits = requests as MessageInitShape<typeof method.input>[];
  const responses: Message[] = [];
  try {
    if (method.methodKind === "unary") {
      const unary = method as DescMethod & { methodKind: "unary" };
      const { message } = await transport.unary(unary, signal, timeoutMs, headers, inits[0] ?? {});
      return { responses: [message] };
    }
    const stream = method as DescMethod & { methodKind: "server_streaming" };
    const { message } = await transport.stream(stream, signal, timeoutMs, headers, each(inits, staysOpen));
    for await (const response of message) {
      responses.push(response);
      onResponse?.(response);
    }
    return { responses };
  } catch (error) {
    const failure = ConnectError.from(error);
    const { code, rawMessage } = failure;
    return { responses, code, message: rawMessage, details: detailsOf(failure) };
  }
}

async function* each<T>(items: T[], staysOpen: boolean): AsyncIterable<T> {
  yield* items;
  if (staysOpen) await new Promise(() => {});
}

/** Calls a method with the generic client of @grpc/grpc-js. */
export function callGrpc(
  port: number,
  method: DescMethod,
  requests: unknown[],
  { token, header, timeoutMs, signal, onResponse, staysOpen = false }: CallOptions = {},
): Promise<Outcome> {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(header ?? {})) metadata.set(key, value);
  if (token) metadata.set("authorization", `Bearer ${token}`);
  const path = `/${method.parent.typeName}/${method.name}`;
  const encode = (request: unknown) =>
    request instanceof Uint8Array
      ? Buffer.from(request)
      : Buffer.from(
          toBinary(method.input, create(method.input, request as MessageInitShape<typeof method.input>)),
        );
  const decode = (bytes: Buffer) => fromBinary(method.output, bytes);
  const callOptions = timeoutMs === undefined ? {} : { deadline: Date.now() + timeoutMs };
  const responses: Message[] = [];

  return new Promise<Outcome>((resolve) => {
    const fail = (error: ServiceError) => {
      const { code, details: message } = error;
      resolve({ responses, code: code as number, message, details: detailsIn(error) });
    };
    const done = (error: ServiceError | null, response?: Message) => {
      if (error) return fail(error);
      if (response) responses.push(response);
      resolve({ responses });
    };
    if (method.methodKind === "unary") {
      const call = client.makeUnaryRequest(path, encode, decode, requests[0], metadata, callOptions, done);
      signal?.addEventListener("abort", () => call.cancel());
    } else if (method.methodKind === "client_streaming") {
      const call = client.makeClientStreamRequest(path, encode, decode, metadata, callOptions, done);
      signal?.addEventListener("abort", () => call.cancel());
      for (const request of requests) call.write(request);
      if (!staysOpen) call.end();
    } else {
      const call = client.makeServerStreamRequest(path, encode, decode, requests[0], metadata, callOptions);
      signal?.addEventListener("abort", () => call.cancel());
      call.on("data", (response) => {
        responses.push(response);
        onResponse?.(response);
      });
      call.on("error", fail);
      call.on("end", () => resolve({ responses }));
    }
  }).finally(() => client.close());
}

/**
 * Repeats a call with longer and longer deadlines until one of its SQL statements waits for a lock before the deadline.
 */
export async function withinADeadline<T>(
  call: (timeoutMs: number) => Promise<T>,
  waiting: () => Promise<number>,
): Promise<T> {
  for (let timeoutMs = 300; ; timeoutMs *= 2) {
    let isOver = false;
    const outcome = call(timeoutMs).finally(() => {
      isOver = true;
    });
    let hasWaited = false;
    while (!isOver && !hasWaited) hasWaited = (await waiting()) > 0;
    if (hasWaited) return outcome;
    await outcome;
  }
}

export async function eventually(condition: () => boolean): Promise<void> {
  await expect.poll(condition, { interval: 10 }).toBe(true);
}

/** Waits until the endless streams have stopped sending because their readers are slow. */
export async function heldUp(transports: Transports): Promise<void> {
  for (let i = 0; i < 50; i++) {
    const { endlessSent } = transports;
    await delay(200);
    if (transports.endlessSent === endlessSent) return;
  }
  throw new Error("they never stopped");
}
