import { constants, type ServerHttp2Stream } from "node:http2";

/**
 * Closes a stream after the data that was just written. If it were closed immediately, its reset would overtake that
 * data, and on Node 22 the headers as well.
 */
export function endSoon(stream: ServerHttp2Stream): void {
  setImmediate(() => stream.close(constants.NGHTTP2_NO_ERROR));
}
