import { randomUUID } from "node:crypto";
import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { Client, credentials, type ServiceError, status } from "@grpc/grpc-js";
import {
  GetCredentialMetadataRequestSchema,
  GetCredentialMetadataResponseSchema,
} from "#gen/learning_credentials/v1/credential_service_pb.js";

/** A call that did not receive the response of a working service. */
export interface FailedCall {
  readonly protocol: "HTTP" | "gRPC";
  /** The start and the end, by `performance.now()`. */
  readonly began: number;
  readonly ended: number;
  readonly reason: string;
}

export interface SteadyLoad {
  readonly failures: readonly FailedCall[];
  answered(): number;
  /** Waits until this many more calls have been answered. */
  more(count: number): Promise<void>;
  stop(): Promise<void>;
}

const CALLERS = 8;
const METADATA = "/learning_credentials.v1.CredentialService/GetCredentialMetadata";
/** A call that takes longer has failed. */
const PATIENCE_MS = 20_000;

/**
 * Requests credentials that don't exist, so that each response comes from the database. Eight callers use HTTP over
 * persistent connections, and eight use gRPC over as many connections.
 * @param perSecond the target rate of all callers together
 */
export function startSteadyLoad(httpUrl: string, grpcAddress: string, perSecond: number): SteadyLoad {
  const failures: FailedCall[] = [];
  let answered = 0;
  let isStopped = false;
  const pauseMs = (1000 * 2 * CALLERS) / perSecond;
  const agents = Array.from({ length: CALLERS }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const clients = Array.from(
    { length: CALLERS },
    () => new Client(grpcAddress, credentials.createInsecure(), { "grpc.use_local_subchannel_pool": 1 }),
  );

  async function repeat(protocol: FailedCall["protocol"], call: () => Promise<void>): Promise<void> {
    while (!isStopped) {
      const began = performance.now();
      try {
        await call();
        answered++;
      } catch (error) {
        failures.push({ protocol, began, ended: performance.now(), reason: String(error) });
      }
      await sleep(Math.max(0, pauseMs - (performance.now() - began)));
    }
  }

  const ended = Promise.all([
    ...agents.map((agent) => repeat("HTTP", () => requestOverHttp(httpUrl, agent))),
    ...clients.map((client) => repeat("gRPC", () => requestOverGrpc(client))),
  ]);
  return {
    failures,
    answered: () => answered,
    async more(count) {
      const wanted = answered + count;
      while (answered < wanted) await sleep(20);
    },
    async stop() {
      isStopped = true;
      await ended;
      for (const agent of agents) agent.destroy();
      for (const client of clients) client.close();
    },
  };
}

function requestOverHttp(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const path = `${url}/api/learning_credentials/v1/metadata/${randomUUID()}/`;
    const request = get(path, { agent, timeout: PATIENCE_MS }, (response) => {
      response
        .resume()
        .once("error", reject)
        .once("end", () => {
          if (response.statusCode === 404) resolve();
          else reject(new Error(`status ${response.statusCode}`));
        });
    });
    request.once("timeout", () => request.destroy(new Error("no answer"))).once("error", reject);
  });
}

function requestOverGrpc(client: Client): Promise<void> {
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      METADATA,
      (request: Uint8Array) => Buffer.from(request),
      (answer) => fromBinary(GetCredentialMetadataResponseSchema, answer),
      toBinary(
        GetCredentialMetadataRequestSchema,
        create(GetCredentialMetadataRequestSchema, { verifyUuid: randomUUID() }),
      ),
      { deadline: Date.now() + PATIENCE_MS },
      (error: ServiceError | null) => {
        if (error?.code === status.NOT_FOUND) resolve();
        else reject(error ?? new Error("it was found"));
      },
    );
  });
}
