import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";

/** A request whose method, target and headers are sent exactly as given. */
export interface RawRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string;
}

export interface RawResponse {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  /** The body, decoded as UTF-8. */
  readonly body: string;
}

/**
 * Sends a request with `node:http` on a new connection. Unlike `fetch`, doesn't normalise URLs or follow redirects.
 * @throws TypeError if the body is not valid UTF-8
 */
export async function send(
  baseUrl: string,
  { method, target, headers, body: content }: RawRequest,
): Promise<RawResponse> {
  const { hostname, port } = new URL(baseUrl);
  const sent = request({ hostname, port, method, path: target, headers: { ...headers }, agent: false });
  sent.end(content);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const body = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
  return { status: response.statusCode, headers: response.headers, body };
}
