import { create, toBinary } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { ConnectError } from "@connectrpc/connect";
import { Metadata, type StatusObject } from "@grpc/grpc-js";
import { toRpcError } from "#api/pipeline/codes.js";
import { truncate } from "#foundation/shorten.js";
import { StatusSchema } from "#gen/google/rpc/status_pb.js";

/** The header that contains a `google.rpc.Status`. */
const DETAILS = "grpc-status-details-bin";

/** Limits for the message and details. They are sent in headers, and many clients accept at most 8 KB of headers. */
const MAX_CHARS = 800;
const MAX_ENCODED = 6000;

/** Characters per non-ASCII byte of a message: 3 in `grpc-message` (percent-encoded), 4/3 in the details (base64). */
const ENCODED_BYTES = 3 + 4 / 3;

export function grpcStatusOf(error: unknown): Pick<StatusObject, "code" | "details" | "metadata"> {
  const { code, rawMessage, details } = error instanceof ConnectError ? error : toRpcError(error);
  const message = fitToHeaders(rawMessage);
  const metadata = new Metadata();
  const packed = details.flatMap((detail) =>
    "desc" in detail ? [anyPack(detail.desc, create(detail.desc, detail.value))] : [],
  );
  if (packed.length > 0) {
    const status = create(StatusSchema, { code, message, details: packed });
    metadata.set(DETAILS, Buffer.from(toBinary(StatusSchema, status)));
  }
  return { code: code as number, details: message, metadata };
}

function fitToHeaders(message: string): string {
  let truncated = truncate(message, MAX_CHARS);
  while (Buffer.byteLength(truncated) * ENCODED_BYTES > MAX_ENCODED) {
    truncated = truncate(truncated, Math.floor(truncated.length * 0.9));
  }
  return truncated.length === message.length ? message : `${truncated.toWellFormed()}…`;
}
