import { type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from "node:http";
import { requestIdOf } from "./request-id.js";

type HeaderInput = OutgoingHttpHeaders | readonly OutgoingHttpHeader[] | undefined;

/**
 * Adds default headers and the request id to every response. Headers that the response sets itself take precedence.
 *
 * Replaces `writeHead`, which Node calls for every response. Setting the headers earlier would cost 2 us per request,
 * because Node writes headers fastest from one flat list.
 * @param defaults alternating names and values, at most 31 of each
 */
export function createDefaultHeaders(defaults: readonly string[]): (response: ServerResponse) => void {
  const bits = new Map<string, number>();
  for (let i = 0; i < defaults.length; i += 2) {
    const name = defaults[i] as string;
    bits.set(name, 1 << (i / 2)).set(name.toLowerCase(), 1 << (i / 2));
  }

  function writeHead(this: ServerResponse, status: number, headerInput?: HeaderInput): ServerResponse {
    const headers = flat(headerInput);
    let replaced = 0;
    for (let i = 0; i < headers.length; i += 2) replaced |= bits.get(headers[i] as string) ?? 0;
    for (const name of this.getHeaderNames()) replaced |= bits.get(name) ?? 0;
    for (let i = 0; i < defaults.length; i += 2) {
      if ((replaced & (1 << (i / 2))) === 0) headers.push(defaults[i] as string, defaults[i + 1] as string);
    }
    headers.push("X-Request-Id", requestIdOf(this.req));
    return ServerResponse.prototype.writeHead.call(this, status, headers);
  }
  return (response) => {
    response.writeHead = writeHead as ServerResponse["writeHead"];
  };
}

function flat(headerInput: HeaderInput): OutgoingHttpHeader[] {
  if (headerInput === undefined) return [];
  if (Array.isArray(headerInput)) return [...headerInput];
  return Object.entries(headerInput as OutgoingHttpHeaders).flatMap(([name, value]) =>
    value === undefined ? [] : [name, value],
  );
}
