import { Server, ServerCredentials } from "@grpc/grpc-js";

/** A bare gRPC server that echoes the request of a unary call. */
const server = new Server({ "grpc.enable_channelz": 0 });
const asIs = (bytes: Buffer) => bytes;
server.register(
  "/Echo/Echo",
  (call: { request: Buffer }, respond: (error: null, response: Buffer) => void) =>
    respond(null, call.request),
  asIs,
  asIs,
  "unary",
);
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.send?.({ port });
});
