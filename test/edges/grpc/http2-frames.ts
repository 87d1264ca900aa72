import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Frame types (RFC 9113, section 6). */
export const DATA = 0;
export const HEADERS = 1;
export const RST_STREAM = 3;
export const SETTINGS = 4;
export const PING = 6;
export const GOAWAY = 7;
export const WINDOW_UPDATE = 8;
export const CONTINUATION = 9;

/** Frame flags. */
export const END_STREAM = 1;
export const END_HEADERS = 4;

const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const FRAME_HEAD_BYTES = 9;

export function frame(
  type: number,
  flags: number,
  stream: number,
  payload: Buffer = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(FRAME_HEAD_BYTES);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** Encodes headers with HPACK, without compression and without indexing (RFC 7541, 6.2.2). */
export function plainHeaders(headers: readonly (readonly [name: string, value: string])[]): Buffer {
  return Buffer.concat(
    headers.flatMap(([name, value]) => [Buffer.of(0), hpackString(name), hpackString(value)]),
  );
}

/** Returns the headers of a gRPC call to a method. */
export function headersOfCall(
  path: string,
  ...more: (readonly [name: string, value: string])[]
): (readonly [name: string, value: string])[] {
  return [
    [":method", "POST"],
    [":scheme", "http"],
    [":path", path],
    [":authority", "x"],
    ["content-type", "application/grpc"],
    ["te", "trailers"],
    ...more,
  ];
}

export function hpackString(text: string): Buffer {
  const bytes = Buffer.from(text, "latin1");
  return Buffer.concat([hpackLength(bytes.length), bytes]);
}

/** Encodes an integer with a seven-bit prefix (RFC 7541, 5.1). */
function hpackLength(length: number): Buffer {
  if (length < 127) return Buffer.of(length);
  const rest: number[] = [];
  for (let left = length - 127; ; left >>= 7) {
    if (left < 128) return Buffer.of(127, ...rest, left);
    rest.push((left & 127) | 128);
  }
}

/** A frame sent by the server. */
export interface Frame {
  readonly type: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** A connection over which a test can write any frames. */
export interface FrameConnection {
  readonly socket: Socket;
  readonly received: readonly Frame[];
  /**
   * Writes no faster than the server reads.
   * @returns whether it wrote all frames before the server ended the connection
   */
  write(...frames: readonly Buffer[]): Promise<boolean>;
  /** Resolves when the server has ended the connection. */
  readonly ended: Promise<void>;
}

export async function openFrames(port: number): Promise<FrameConnection> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  const received: Frame[] = [];
  let buffered = Buffer.alloc(0);
  socket.on("data", (chunk) => {
    buffered = Buffer.concat([buffered, chunk]);
    while (buffered.length >= FRAME_HEAD_BYTES) {
      const end = FRAME_HEAD_BYTES + buffered.readUIntBE(0, 3);
      if (buffered.length < end) return;
      const [type = 0, stream] = [buffered[3], buffered.readUInt32BE(5)];
      received.push({ type, stream, payload: buffered.subarray(FRAME_HEAD_BYTES, end) });
      buffered = buffered.subarray(end);
    }
  });
  const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  await once(socket, "connect");
  socket.write(Buffer.concat([Buffer.from(PREFACE), frame(SETTINGS, 0, 0)]));
  return {
    socket,
    received,
    ended,
    async write(...frames) {
      if (!socket.writable) return false;
      if (!socket.write(Buffer.concat(frames))) {
        const drained = new Promise<void>((resolve) => socket.once("drain", () => resolve()));
        await Promise.race([drained, ended]);
      }
      return socket.writable;
    },
  };
}
