import { Readable, type Writable } from "node:stream";
import { Client, credentials, Metadata } from "@grpc/grpc-js";

/** Calls the service's streams over native gRPC; messages are passed and returned as bytes. */
export interface GrpcClient {
  /** Sends the messages as fast as the service accepts them. @returns the response */
  sendAll(path: string, messages: readonly Buffer[]): Promise<Buffer>;
  /** Yields the responses as they arrive. */
  receiveAll(path: string, message: Buffer): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

export function createGrpcClient(port: number, token: string): GrpcClient {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  const metadata = new Metadata();
  metadata.set("authorization", `Bearer ${token}`);
  return {
    sendAll(path, messages) {
      return new Promise((resolve, reject) => {
        const call = client.makeClientStreamRequest<Buffer, Buffer>(
          path,
          asIs,
          asIs,
          metadata,
          (error, response) => (response ? resolve(response) : reject(error)),
        );
        Readable.from(messages).pipe(call as Writable);
      });
    },
    receiveAll: (path, message) => client.makeServerStreamRequest(path, asIs, asIs, message, metadata),
    async close() {
      client.close();
    },
  };
}

function asIs(bytes: Buffer): Buffer {
  return bytes;
}
