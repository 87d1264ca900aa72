import { constants, type ServerHttp2Stream } from "node:http2";

/** Closes a stream after its pending data has been written. An immediate reset would overtake the data. */
export function endSoon(stream: ServerHttp2Stream): void {
  setImmediate(() => stream.close(constants.NGHTTP2_NO_ERROR));
}
