import { type ClientHttp2Session, connect } from "node:http2";
import { countUntil, type Until } from "./count.js";

/** The calls that are repeated on the gRPC server. */
export interface GrpcJob {
  readonly port: number;
  /** `/package.Service/Method` of a unary method. */
  readonly path: string;
  /** Encoded requests, in base64. */
  readonly messages: readonly string[];
  readonly concurrency: number;
  readonly until: Until;
  /** Expected codes; any other code is a failure. */
  readonly codes: readonly number[];
}

process.once("message", ({ port, path, messages, concurrency, until, codes }: GrpcJob) => {
  const session = connect(`http://127.0.0.1:${port}`);
  const counter = countUntil(until);
  const frames = messages.map(frame);
  let next = 0;
  const callOn = () => {
    call(session, path, frames[next++ % frames.length] as Buffer, (code) => {
      if (!codes.includes(code)) throw new Error(`answered with ${code}`);
      counter.count();
      callOn();
    });
  };
  for (let index = 0; index < concurrency; index++) callOn();
  counter.done.then((rate) => process.send?.(rate));
});

/** Calls over bare HTTP/2, because a gRPC client in Node would be slower than the server. */
function call(session: ClientHttp2Session, path: string, frame: Buffer, done: (code: number) => void): void {
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
  });
  const settle = (headers: Record<string, unknown>) => {
    if (headers["grpc-status"] !== undefined) done(Number(headers["grpc-status"]));
  };
  stream.on("response", settle); // an error without a message is in the headers
  stream.on("trailers", settle);
  stream.resume();
  stream.end(frame);
}

function frame(message: string): Buffer {
  const bytes = Buffer.from(message, "base64");
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}
