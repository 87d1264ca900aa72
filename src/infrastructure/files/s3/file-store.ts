import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { type BucketItem, Client } from "minio";
import { retry } from "#foundation/concurrency/retry.js";
import { failedPrecondition } from "#foundation/errors.js";
import { contentDisposition } from "../content-disposition.js";
import { customDomainUrl } from "../custom-domain.js";
import { digestOf } from "../digest.js";
import { checkFileKey, checkMove, checkPrefix, isFileKey } from "../file-key.js";
import { FILE_LINK_LIFETIME_S, type FileStore, type StoredFile } from "../file-store.js";
import { checkMediaType } from "../media-type.js";
import { storeUnavailable } from "../store-unavailable.js";
import { ensureBucket } from "./bucket.js";
import { type Clocks, describeS3Fault, isRefusal, isRetryable, unlessNoSuchKey } from "./fault.js";
import { createS3Transport } from "./transport.js";

/** The bucket, and the account that uses it. */
export interface S3Settings {
  /** A URL without a path. */
  readonly endpoint: string;
  /** The endpoint for download links, if browsers must use a different one than this service. */
  readonly publicEndpoint: string | undefined;
  readonly region: string;
  readonly bucket: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Whether the bucket is in the path of URLs. Otherwise it is in the host name, which some stores require. */
  readonly pathStyle: boolean;
  /**
   * A domain, with or without a scheme, under which another server serves the bucket publicly, at least below the
   * output directory. Links lead there, unsigned, and do not expire.
   */
  readonly customDomain: string | undefined;
}

/** Time limits. A call ends after at most `retryForMs + attemptMs`. */
interface S3Patience {
  /** Maximum time without any data sent or received, also while connecting. */
  readonly idleMs: number;
  /** Maximum time for one attempt. */
  readonly attemptMs: number;
  /** Pause before the second attempt; doubled before each later attempt. */
  readonly pauseMs: number;
  /** Time since the first attempt after which no further attempt starts. */
  readonly retryForMs: number;
  /** Time limit for the bucket while the store is being opened. */
  readonly startMs: number;
}

const PATIENCE: S3Patience = {
  idleMs: 10_000,
  attemptMs: 60_000,
  pauseMs: 200,
  retryForMs: 15_000,
  startMs: 1_500,
};

/** Maximum size of a single request. With a single part, a file exists completely or not at all. */
const MAX_PART_BYTES = 5 * 1024 ** 3;

/** Maximum number of keys in a listing response of S3. */
const PAGE = 1000;

/**
 * Opens the store in a bucket, which is created if it does not exist and the account may create it. The objects are as
 * private as the bucket: no call sets an access list, which many buckets reject.
 *
 * If the store does not respond, it is opened anyway. Functions that don't need it continue to work, and until the
 * bucket exists, each call checks for it first.
 *
 * S3 verifies uploads by Content-MD5, and over http by a signed SHA-256 as well.
 * @param onOutage is called with the reason why the bucket can't be used yet
 * @throws Problem `failed-precondition` if the settings are wrong: the store has refused the account or the request
 */
export async function openS3FileStore(
  settings: S3Settings,
  onOutage: (fault: Error) => void = () => {},
  patience = PATIENCE,
): Promise<FileStore> {
  const { endpoint, publicEndpoint = endpoint, region, bucket, customDomain } = settings;
  let clocks: Clocks | undefined;
  const onDate = (there: Date) => {
    if (!Number.isNaN(there.getTime())) clocks = { here: new Date(), there };
  };
  const describe = (error: unknown) => describeS3Fault(settings, error, clocks);
  const client = createClient(endpoint, settings, patience, onDate);
  const signer = createClient(publicEndpoint, settings, patience);
  const retryOptions = {
    isRetryable,
    pauseMs: patience.pauseMs,
    forMs: patience.retryForMs,
  };

  let bucketThere: Promise<void> | undefined;
  const haveBucket = () => {
    bucketThere ??= retry(() => ensureBucket(client, bucket, region), retryOptions).catch((error) => {
      bucketThere = undefined;
      throw error;
    });
    return bucketThere;
  };
  const call = async <T>(work: () => Promise<T>) => {
    try {
      await haveBucket();
      return await retry(work, retryOptions);
    } catch (error) {
      throw storeUnavailable(describe(error));
    }
  };

  const refused = haveBucket().then(
    () => undefined,
    (error) => {
      const fault = describe(error);
      if (isRefusal(error, clocks)) return fault;
      onOutage(fault);
      return undefined;
    },
  );
  const fault = await Promise.race([refused, setTimeout(patience.startMs, "late" as const, { ref: false })]);
  if (fault instanceof Error) throw failedPrecondition(fault.message, { cause: fault.cause });
  if (fault === "late") {
    onOutage(describe(new Error(`it did not respond within ${patience.startMs} ms`)));
    void refused.then((late) => late && onOutage(late));
  }
  return createStore({ client, signer, bucket, customDomain, call });
}

interface StoreDeps {
  readonly client: Client;
  readonly signer: Client;
  readonly bucket: string;
  readonly customDomain: string | undefined;
  readonly call: <T>(work: () => Promise<T>) => Promise<T>;
}

function createStore(deps: StoreDeps): FileStore {
  const { client, signer, bucket, call } = deps;
  const customUrl = deps.customDomain === undefined ? undefined : customDomainUrl(deps.customDomain);

  const { get, putChecked, copy, listPage, remove } = objectsIn(client, bucket);

  const list = async function* (prefix: string) {
    const path = checkPrefix(prefix);
    for (let token: string | undefined = ""; token !== undefined; ) {
      const page = await call(() => listPage(path, token ?? ""));
      token = page.isTruncated ? page.nextContinuationToken : undefined;
      yield* page.objects.flatMap((object) => storedFile(object, path));
    }
  };

  return {
    list,
    ...createReading(deps),

    async check(directory) {
      const path = `${checkFileKey(directory)}/.check`; // not a valid key, so `list` skips it
      await call(() => putChecked(path, Buffer.from("ready")));
      await call(() => remove(path));
    },

    async put(key, bytes, { contentType, downloadName }) {
      const path = checkFileKey(key);
      const headers = {
        "Content-Type": checkMediaType(contentType),
        ...(downloadName !== undefined && { "Content-Disposition": contentDisposition(downloadName) }),
        "Cache-Control": "private, max-age=0",
      };
      const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      await call(() => putChecked(path, body, headers));
    },

    async move(from, to) {
      checkMove(from, to);
      const bytes = await call(() => get(from));
      const isCopied = bytes !== undefined && (await call(() => copy(from, to)));
      // The file was moved earlier, or another process is moving it right now.
      if (!isCopied) return (await call(() => get(to))) !== undefined;
      await call(async () => {
        // Some stores show a file while another process is still copying it, so the copy is read again and compared.
        if (!(await get(to))?.equals(bytes)) throw new Error(`The copy of ${from}, ${to}, differs.`);
      });
      await call(() => remove(from));
      return true;
    },

    async delete(key) {
      const path = checkFileKey(key);
      await call(() => remove(path));
    },

    async deleteDirectory(directory) {
      for await (const { key } of list(`${directory}/`)) await call(() => remove(key));
    },

    async *listDrafts() {}, // an upload is a single request, so it leaves no drafts

    async deleteDraft() {},

    async downloadUrl(key, now = new Date()) {
      const path = checkFileKey(key);
      if (customUrl !== undefined) return { url: `${customUrl}/${path}`, expires: undefined };
      const seconds = Math.floor(now.getTime() / 1000) + FILE_LINK_LIFETIME_S;
      const url = await signer.presignedGetObject(bucket, path, FILE_LINK_LIFETIME_S, {}, now);
      return { url, expires: new Date(seconds * 1000) };
    },
  };
}

function createReading({ client, bucket, call }: StoreDeps): Pick<FileStore, "read" | "stream" | "digest"> {
  const { get, open } = objectsIn(client, bucket);
  return {
    async read(key) {
      const path = checkFileKey(key);
      return call(() => get(path));
    },

    async stream(key) {
      const path = checkFileKey(key);
      return call(async () => {
        const content = await open(path);
        return content && { size: sizeOf(content), content };
      });
    },

    async digest(key) {
      const path = checkFileKey(key);
      return call(async () => {
        const response = await open(path);
        return response && (await digestOf(response));
      });
    },
  };
}

/** Single requests about a bucket's objects. Reads return undefined if there is no such object. */
function objectsIn(client: Client, bucket: string) {
  const open = (key: string) => client.getObject(bucket, key).catch(unlessNoSuchKey);
  const get = async (key: string): Promise<Buffer | undefined> => {
    const response = await open(key);
    return response && (await buffer(response));
  };
  /** A response with the MD5 of the bytes as its ETag confirms the upload. Otherwise, the bytes are read back. */
  const putChecked = async (key: string, body: Buffer, headers?: Record<string, string>): Promise<void> => {
    const { etag } = await client.putObject(bucket, key, body, body.length, headers);
    if (etag === createHash("md5").update(body).digest("hex")) return;
    const stored = await get(key);
    if (!stored?.equals(body))
      throw new Error("it confirmed that it saved a file, but does not return that file");
  };
  const copy = async (from: string, to: string): Promise<boolean> => {
    const copied = await client.copyObject(bucket, to, `/${bucket}/${from}`).catch(unlessNoSuchKey);
    return copied !== undefined;
  };
  const listPage = (prefix: string, token: string) =>
    client.listObjectsV2Query(bucket, prefix, token, "", PAGE, "");
  const remove = (key: string) => client.removeObject(bucket, key).catch(unlessNoSuchKey);
  return { open, get, putChecked, copy, listPage, remove };
}

/**
 * Returns the size of an object from the response headers. minio's types don't declare that it returns the original
 * response.
 */
function sizeOf(response: Readable): number {
  const size = Number((response as IncomingMessage).headers["content-length"]);
  if (Number.isInteger(size)) return size;
  response.destroy();
  throw new Error("it did not return the size of a file");
}

/** Skips objects that are not files of this service, and objects whose key merely starts with the requested key. */
function storedFile({ name, size, lastModified }: BucketItem, prefix: string): StoredFile[] {
  if (name === undefined || !isFileKey(name)) return [];
  return prefix.endsWith("/") || name === prefix ? [{ key: name, size, lastModified }] : [];
}

/** A client that also sends Content-MD5 over http, because buckets with Object Lock reject uploads without it. */
class CheckedClient extends Client {
  override makeRequestStreamAsync(
    ...[options, body, ...others]: Parameters<Client["makeRequestStreamAsync"]>
  ) {
    if (options.method === "PUT" && Buffer.isBuffer(body) && body.length > 0) {
      const md5 = createHash("md5").update(body).digest("base64");
      options.headers = { "Content-MD5": md5, ...options.headers };
    }
    return super.makeRequestStreamAsync(options, body, ...others);
  }
}

function createClient(
  endpoint: string,
  settings: S3Settings,
  patience: S3Patience,
  onDate?: (date: Date) => void,
): Client {
  const { protocol, hostname, port } = new URL(endpoint);
  return new CheckedClient({
    endPoint: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port),
    useSSL: protocol === "https:",
    region: settings.region,
    accessKey: settings.accessKey,
    secretKey: settings.secretKey,
    pathStyle: settings.pathStyle,
    partSize: MAX_PART_BYTES,
    transport: createS3Transport(protocol, patience, onDate),
    retryOptions: { disableRetry: true },
  });
}
