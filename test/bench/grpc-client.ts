import { Readable, type Writable } from "node:stream";
import { Client, credentials, Metadata } from "@grpc/grpc-js";

/** Calls the service over native gRPC. Messages are passed and returned as bytes. */
export interface GrpcClient {
  call(path: string, message: Buffer): Promise<Buffer>;
  /**
   * Sends the messages as fast as the service accepts them.
   * @returns the response
   */
  sendAll(path: string, messages: readonly Buffer[]): Promise<Buffer>;
  receiveAll(path: string, message: Buffer): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

export function createGrpcClient(port: number, token: string): GrpcClient {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  const metadata = new Metadata();
  metadata.set("authorization", `Bearer ${token}`);
  type Settle = (error: Error | null, response?: Buffer) => void;
  const answerOf = (begin: (settle: Settle) => void) =>
    new Promise<Buffer>((resolve, reject) =>
      begin((error, response) => (response ? resolve(response) : reject(error))),
    );
  return {
    call: (path, message) =>
      answerOf((settle) => client.makeUnaryRequest(path, asIs, asIs, message, metadata, settle)),
    sendAll: (path, messages) =>
      answerOf((settle) => {
        const call = client.makeClientStreamRequest<Buffer, Buffer>(path, asIs, asIs, metadata, settle);
        Readable.from(messages).pipe(call as Writable);
      }),
    receiveAll: (path, message) => client.makeServerStreamRequest(path, asIs, asIs, message, metadata),
    async close() {
      client.close();
    },
  };
}

function asIs(bytes: Buffer): Buffer {
  return bytes;
}
