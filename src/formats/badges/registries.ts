import { readJson } from "#foundation/text/read-json.js";

interface Listing {
  readonly name: string;
}

/** A registry's HTTP response, with any status code. */
interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Rejects if the registry can't be reached, or if the response is too large. */
export type FetchRegistry = (url: string) => Promise<Answer>;

type Json = Readonly<Record<string, unknown>>;

/** A registry of trusted issuers, which verifiers query. */
export interface Registry {
  readonly name: string;
  /**
   * Looks up an issuer.
   * @returns undefined if the registry doesn't list the issuer
   * @throws Error if the registry can't be queried
   */
  find(did: string): Promise<Listing | undefined>;
}

const MAX_REGISTRIES = 50;

/**
 * Reads a list of registries in the format of the DCC (issuer-registry-client 3.2.0-beta.5: RegistryClient). Each
 * registry has a `name` and a type: `dcc-legacy` with a `url`, or `oidf` with a `trustAnchorEC` (until 2025, a
 * `fetchEndpoint`).
 * @throws Error if the document is not such a list
 */
export async function readRegistries(url: string, fetchAnswer: FetchRegistry): Promise<Registry[]> {
  const list = await json(url, fetchAnswer);
  if (!Array.isArray(list)) throw new Error(`${url} is not a list of registries`);
  if (list.length > MAX_REGISTRIES)
    throw new Error(`${url} lists ${list.length} registries; at most ${MAX_REGISTRIES} are accepted`);
  return list.map((entry: Json | null, index) => {
    const name = textOf(entry?.name) ?? `registry ${index + 1}`;
    const [legacy, anchor, endpoint] = [entry?.url, entry?.trustAnchorEC, entry?.fetchEndpoint].map(textOf);
    if (entry?.type === "dcc-legacy" && legacy)
      return { name, find: (did) => inList(legacy, did, fetchAnswer) };
    if (entry?.type === "oidf" && anchor) {
      return {
        name,
        find: async (did) => inFederation(await endpointOf(anchor, fetchAnswer), did, fetchAnswer),
      };
    }
    if (entry?.type === "oidf" && endpoint)
      return { name, find: (did) => inFederation(endpoint, did, fetchAnswer) };
    return {
      name,
      find: () => Promise.reject(new Error(`its type ${JSON.stringify(entry?.type)} is not supported`)),
    };
  });
}

async function inList(url: string, did: string, fetchAnswer: FetchRegistry): Promise<Listing | undefined> {
  const { registry } = (await json(url, fetchAnswer)) as { registry?: Record<string, Json | null> };
  if (typeof registry !== "object" || registry === null)
    throw new Error(`${url} returned no registry object`);
  const entry = Object.hasOwn(registry, did) ? registry[did] : undefined;
  return entry ? { name: textOf(entry.name) ?? "" } : undefined;
}

/** @param endpoint ends with `?sub=` */
async function inFederation(
  endpoint: string,
  did: string,
  fetchAnswer: FetchRegistry,
): Promise<Listing | undefined> {
  const { status, text } = await fetchAnswer(`${endpoint}${did}`);
  if (status === 404) return undefined;
  if (status !== 200) throw new Error(`${endpoint} responded with status ${status}`);
  return { name: textOf(entityIn(text, endpoint).organization_name) ?? "" };
}

async function endpointOf(anchor: string, fetchAnswer: FetchRegistry): Promise<string> {
  const { status, text } = await fetchAnswer(anchor);
  if (status !== 200) throw new Error(`${anchor} responded with status ${status}`);
  const endpoint = textOf(entityIn(text, anchor).federation_fetch_endpoint);
  if (!endpoint) throw new Error(`${anchor} returned no federation_fetch_endpoint`);
  return `${endpoint}?sub=`;
}

/** Reads an entity statement (OpenID Federation). Like other verifiers of badges, it doesn't verify the signature. */
function entityIn(jwt: string, url: string): Json {
  try {
    const payload = readJson(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString());
    const entity = (payload as { metadata: { federation_entity: unknown } }).metadata.federation_entity;
    if (typeof entity === "object" && entity !== null) return entity as Json;
  } catch {
    // An unreadable statement is reported like a statement without a federation entity.
  }
  throw new Error(`${url} returned no valid entity statement`);
}

async function json(url: string, fetchAnswer: FetchRegistry): Promise<unknown> {
  const { status, text } = await fetchAnswer(url);
  if (status !== 200) throw new Error(`${url} responded with status ${status}`);
  try {
    return readJson(text) ?? {};
  } catch {
    throw new Error(`${url} did not return JSON`);
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
