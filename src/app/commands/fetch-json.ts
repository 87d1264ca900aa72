import { readBounded } from "#foundation/text/read-bounded.js";
import { readJson } from "#foundation/text/read-json.js";

/** Maximum size of a DID document, status list or response. */
const MAX_DOCUMENT = 1024 * 1024;
const FETCH_TIMEOUT_MS = 10_000;

/**
 * Fetches JSON from a URL that the author of a file may have chosen.
 * @param body sent as JSON in a POST request; undefined to send a GET request
 */
export async function fetchJson(url: string, body?: object): Promise<unknown> {
  const { status, text } = await fetchAnswer(url, body);
  if (status < 200 || status > 299) throw new Error(`${url} responded with status ${status}`);
  try {
    return readJson(text);
  } catch (cause) {
    throw new Error(`${url} returned invalid JSON, or JSON with duplicate names`, { cause });
  }
}

/**
 * Fetches text from an untrusted URL. Allows only HTTPS and this machine, follows no redirects, and limits time and
 * size.
 */
export async function fetchAnswer(url: string, body?: object): Promise<{ status: number; text: string }> {
  const { protocol, hostname } = new URL(url);
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  if (protocol !== "https:" && !(protocol === "http:" && isHere))
    throw new Error(`${url} does not start with https://`);
  const response = await fetch(url, {
    ...(body && { method: "POST", body: JSON.stringify(body) }),
    headers: {
      accept: "application/json, application/did+json, application/vc",
      ...(body && { "content-type": "application/json" }),
    },
    redirect: "error",
    signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
  }).catch((cause) => {
    throw new Error(`${url} can't be reached`, { cause });
  });
  const tooLarge = () => new Error(`${url} returned more than ${MAX_DOCUMENT} bytes`);
  const answer = await readBounded(response.body, MAX_DOCUMENT, tooLarge);
  return { status: response.status, text: answer.toString("utf8") };
}
