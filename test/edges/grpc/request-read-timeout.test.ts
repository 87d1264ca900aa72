import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPipeline } from "#api/pipeline/pipeline.js";
import { createGrpcServer, type GrpcEdge } from "#edges/grpc/server.js";
import { bufferedBytesAllowed } from "#edges/http/buffered-bytes.js";
import { createClientOf } from "#edges/http/client-address.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { anonymous } from "#infrastructure/identity/caller.js";

const METHOD = "/learning_credentials.v1.CredentialService/GetCredentialMetadata";
const MIB = 1024 * 1024;
const OK = "0";
const INVALID_ARGUMENT = "3";
const RESOURCE_EXHAUSTED = "8";
const log = pino({ level: "silent" });

let edge: GrpcEdge;
let session: ClientHttp2Session;
beforeAll(async () => {
  const names = CredentialService.methods.map(({ localName }) => localName);
  const mounts = [
    {
      service: CredentialService,
      handlers: Object.fromEntries(names.map((name) => [name, async () => ({})])),
    },
  ];
  const pipeline = createPipeline({ mounts, authenticate: () => anonymous, log });
  edge = await createGrpcServer({
    pipeline,
    host: "127.0.0.1",
    port: 0,
    log,
    clientOf: createClientOf(1),
    maxBufferedBytes: 8 * MIB,
  });
  session = connect(`http://127.0.0.1:${edge.port}`);
});
afterAll(async () => {
  session.destroy();
  await edge.close(0);
});

interface Call {
  readonly stream: ClientHttp2Stream;
  readonly status: Promise<string | undefined>;
}

/** Starts a call from this client address, and sends these bytes. */
function begin(client: string, bytes: Buffer): Call {
  const stream = session.request({
    ":method": "POST",
    ":path": METHOD,
    "content-type": "application/grpc",
    te: "trailers",
    "x-forwarded-for": client,
  });
  stream.on("error", () => {}).write(bytes);
  let status: string | undefined;
  const note = (headers: Record<string, unknown>) => {
    if (headers["grpc-status"] !== undefined) status = String(headers["grpc-status"]);
  };
  stream.on("response", note).on("trailers", note).resume();
  return { stream, status: new Promise((resolve) => stream.once("close", () => resolve(status))) };
}

/** Resolves with the statuses of the first calls that end. */
function firstOf(count: number, calls: readonly Call[]): Promise<unknown[]> {
  const ended: unknown[] = [];
  return new Promise((resolve) => {
    for (const { status } of calls) {
      void status.then((each) => {
        if (ended.push(each) === count) resolve([...ended]);
      });
    }
  });
}

/** Returns a message whose envelope announces `size` bytes, but which contains only `sent` bytes. */
function message(size: number, sent = size): Buffer {
  const bytes = Buffer.alloc(5 + sent);
  bytes.writeUInt32BE(size, 1);
  return bytes;
}

test.each([
  ["messages that are half there", message(2 * MIB, MIB)],
  ["messages that are there, but not the end of the request", message(MIB)],
  ["many small parts", undefined],
])("one client gets only a share of %s", async (_, sent) => {
  const other = begin("192.0.2.9", message(MIB, MIB - 5));
  const begun = Array.from({ length: 6 }, () => begin("192.0.2.1", sent ?? message(MIB, 0)));
  if (!sent) {
    const trickle = async ({ stream }: Call) => {
      for (let i = 0; i < 4_000 && stream.writable; i++) {
        await new Promise<void>((resolve) => stream.write(Buffer.alloc(1), () => resolve()));
      }
    };
    void Promise.all(begun.map(trickle));
  }
  // After four calls were refused, the data of the other two is within the client's share of 2 MiB.
  expect(new Set(await firstOf(4, begun))).toEqual(new Set([RESOURCE_EXHAUSTED]));
  other.stream.end(Buffer.alloc(5));
  expect(await other.status).toBe(INVALID_ARGUMENT); // zeros are not a valid message, but the whole request has arrived
  for (const { stream } of begun) stream.close();
  const third = begin("192.0.2.1", message(0));
  third.stream.end();
  expect(await third.status).toBe(OK);
});

test("all clients together get no more than the total", async () => {
  const begun = Array.from({ length: 7 }, (_, index) =>
    begin(`192.0.2.${10 + index}`, message(2 * MIB, 1.9 * MIB)),
  );
  // A client that is still sending may see the reset before the status that was sent with it.
  expect(await Promise.all(begun.map(({ status }) => status))).toContain(RESOURCE_EXHAUSTED);
});

test.each([
  [64 * 1024 * MIB, 0, 512 * MIB, 128 * MIB],
  [64 * 1024 * MIB, 2 ** 64, 512 * MIB, 128 * MIB],
  [64 * 1024 * MIB, 512 * MIB, 64 * MIB, 32 * MIB],
  [1024 * MIB, 2 ** 64, 128 * MIB, 64 * MIB],
])(
  "of %i bytes in the machine and %i in the container, %i may hold arriving gRPC requests, and %i HTTP requests",
  (machine, container, grpc, http) => {
    expect(bufferedBytesAllowed("grpc", machine, container)).toBe(grpc);
    expect(bufferedBytesAllowed("http", machine, container)).toBe(http);
  },
);
