/** Maximum size of a DID document, status list or answer. */
const MAX_DOCUMENT = 1024 * 1024;
const FETCH_TIMEOUT_MS = 10_000;

/**
 * Fetches JSON from a URL that the author of a file has chosen. So only HTTPS or this machine is allowed, without
 * redirects, and with limits on time and size.
 * @param body is posted as JSON; undefined: the URL is read
 */
export async function fetchJson(url: string, body?: object): Promise<unknown> {
  const { protocol, hostname } = new URL(url);
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  if (protocol !== "https:" && !(protocol === "http:" && isHere)) throw new Error(`${url} is not https`);
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
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_DOCUMENT) throw new Error(`${url} answers with more than ${MAX_DOCUMENT} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw new Error(`${url} does not answer with JSON`);
  }
}
