import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:http2";
import { join } from "node:path";
import { Client, credentials, type ServiceError, status } from "@grpc/grpc-js";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { createPipeline } from "#api/pipeline/pipeline.js";
import { createGrpcServer, type GrpcEdge } from "#edges/grpc/server.js";
import type { TlsIdentity } from "#edges/tls.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { anonymous } from "#infrastructure/identity/caller.js";

const METHOD = "/learning_credentials.v1.CredentialService/GetCredentialMetadata";
const CALLERS = 40;
const ROLLS = 4;

const fixture = (name: string) => readFileSync(join(import.meta.dirname, "../tls", name));
const identity: TlsIdentity = { cert: fixture("localhost.crt"), key: fixture("localhost.key") };
const log = pino({ level: "silent" });
const edges = new Set<Rolled>();
afterEach(async () => {
  await Promise.all([...edges].map(({ edge }) => edge.close(0)));
  edges.clear();
});

interface Rolled {
  readonly edge: GrpcEdge;
  calls: number;
}

async function open(port: number, tls: TlsIdentity | undefined): Promise<Rolled> {
  const names = CredentialService.methods.map(({ localName }) => localName);
  const handler = async () => {
    rolled.calls++;
    await new Promise((resolve) => setTimeout(resolve, 2));
    return {};
  };
  const mounts = [
    { service: CredentialService, handlers: Object.fromEntries(names.map((name) => [name, handler])) },
  ];
  const pipeline = createPipeline({ mounts, authenticate: () => anonymous, log });
  const edge = await createGrpcServer({ pipeline, host: "127.0.0.1", port, tls, log });
  const rolled = { edge, calls: 0 };
  edges.add(rolled);
  return rolled;
}

test("calls that arrive while the server starts to close get a response", async () => {
  const { edge } = await open(0, undefined);
  const session = connect(`http://127.0.0.1:${edge.port}`);
  await once(session, "remoteSettings");
  const closed = edge.close(10_000);
  const statuses = Array.from({ length: 50 }, async () => {
    const stream = session.request({
      ":method": "POST",
      ":path": METHOD,
      "content-type": "application/grpc",
      te: "trailers",
    });
    stream.end(Buffer.alloc(5));
    const trailers = once(stream.resume(), "trailers").catch((error) => [{ "grpc-status": error.message }]);
    return (await trailers)[0]["grpc-status"];
  });
  expect(new Set(await Promise.all(statuses))).toEqual(new Set(["0"]));
  await closed;
  session.destroy();
});

/** A client that receives GOAWAY sends its unsent calls to the other server. This is the default of grpc-js. */
test.each<[how: string, tls: TlsIdentity | undefined]>([
  ["without TLS", undefined],
  ["over TLS", identity],
])("%s, servers are replaced under a busy client without a failed call", async (_, tls) => {
  const pair = [await open(0, tls), await open(0, tls)];
  const ports = pair.map(({ edge }) => edge.port);
  const client = new Client(
    `ipv4:${ports.map((port) => `127.0.0.1:${port}`).join(",")}`,
    tls ? credentials.createSsl(tls.cert) : credentials.createInsecure(),
    {
      "grpc.ssl_target_name_override": "localhost",
      "grpc.initial_reconnect_backoff_ms": 100,
      "grpc.max_reconnect_backoff_ms": 100,
      "grpc.service_config": JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
    },
  );
  const asIs = (bytes: Buffer) => bytes;
  const call = () =>
    new Promise<ServiceError | null>((resolve) =>
      client.makeUnaryRequest(METHOD, asIs, asIs, Buffer.alloc(0), (error) => resolve(error)),
    );
  const failures: string[] = [];
  let isOver = false;
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!isOver) {
      const error = await call();
      if (error) failures.push(`${status[error.code]} ${error.details}`);
    }
  });
  const bothServe = async () => {
    const before = pair.map(({ calls }) => calls);
    await expect
      .poll(() => pair.every(({ calls }, index) => calls > (before[index] ?? 0) + CALLERS))
      .toBe(true);
  };

  try {
    await bothServe();
    for (let roll = 0; roll < ROLLS; roll++) {
      const old = pair[roll % 2] as Rolled;
      await old.edge.close(10_000);
      edges.delete(old);
      pair[roll % 2] = await open(old.edge.port, tls);
      await bothServe();
    }
  } finally {
    isOver = true; // otherwise, the calls would continue after a failed test
    await Promise.all(callers);
    client.close();
  }
  expect(failures).toEqual([]);
});
