import { Client, credentials, Server, ServerCredentials, type ServerInterceptor } from "@grpc/grpc-js";
import { expect, onTestFinished, test } from "vitest";

const path = "/test.Internals/Call";
const bytes = (value: Buffer) => value;
const definition = {
  path,
  requestStream: false,
  responseStream: false,
  requestSerialize: bytes,
  requestDeserialize: bytes,
  responseSerialize: bytes,
  responseDeserialize: bytes,
};

/**
 * The service uses private members of grpc-js. If one of them is missing in a new version, limits of time and size no
 * longer apply, but no error occurs.
 */
test("grpc-js has the private members that the service uses", async () => {
  const seen: Record<string, unknown> = {};
  const look: ServerInterceptor = (_, call) => {
    seen.intercepted = call;
    return call as ReturnType<ServerInterceptor>;
  };
  const server = new Server({ interceptors: [look] });
  onTestFinished(() => server.forceShutdown());
  server.addService(
    { call: definition },
    {
      call: (call: unknown, callback: (error: null, value: Buffer) => void) => {
        seen.call = call;
        callback(null, Buffer.alloc(0));
      },
    },
  );
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  onTestFinished(() => client.close());
  await new Promise<void>((resolve, reject) =>
    client.makeUnaryRequest(path, bytes, bytes, Buffer.from("request"), (error) =>
      error ? reject(error) : resolve(),
    ),
  );

  // used in src/edges/grpc/server.ts
  expect(server).toMatchObject({
    commonServerOptions: expect.any(Object),
    http2Servers: expect.any(Map),
  });
  // used in request-read-timeout.ts, response-read-timeout.ts and standard-services.ts
  expect(seen.intercepted).toMatchObject({
    stream: { bufferSize: expect.any(Number), headersSent: true },
    metadata: { getMap: expect.any(Function) },
    getPeer: expect.any(Function),
    sendStatus: expect.any(Function),
    maxReceiveMessageSize: expect.any(Number),
    decoder: {
      maxReadMessageLength: expect.any(Number),
      readMessageSize: expect.any(Number),
      readMessageRemaining: expect.any(Number),
      readPartialMessage: expect.any(Array),
    },
  });
  // used in method.ts
  expect(seen.call).toMatchObject({ call: { sendStatus: expect.any(Function) } });
});
