import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { createEnvelopeReadableStream, createMethodUrl, encodeEnvelope } from "@connectrpc/connect/protocol";
import {
  endStreamFlag,
  endStreamFromJson,
  requestHeader,
  validateResponse,
} from "@connectrpc/connect/protocol-connect";
import { MAX_SLUG, MAX_UPLOAD_MEGABYTES } from "#foundation/limits.js";
import { type Asset, AssetSchema } from "#gen/learning_credentials/v1/configuration_pb.js";
import {
  ConfigurationService,
  UploadAssetRequestSchema,
} from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { BASE_URL, noteFault } from "./api.js";
import { type PictureChange, preparedFile } from "./prepared-picture.js";

/** Uploading a large file over a slow connection takes long. */
const UPLOAD_TIMEOUT_MS = 300_000;
const CHUNK_BYTES = 256 * 1024;

const method = ConfigurationService.method.uploadAsset;

/**
 * Uploads a file for designs. Connect's client can't send streams from browsers, which send a body over HTTP/1.1 in one
 * piece. All messages are therefore sent as one body, which makes no difference to the service.
 * @param etag version of the file to replace; undefined if the slug must be unused
 */
export async function uploadAsset(slug: string, file: Blob, etag: string | undefined): Promise<Asset> {
  try {
    const response = await fetch(createMethodUrl(BASE_URL, method), {
      method: "POST",
      headers: requestHeader(method.methodKind, true, UPLOAD_TIMEOUT_MS, undefined, false),
      body: await bodyOf(slug, file, etag),
      signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS),
    });
    validateResponse(method.methodKind, true, response.status, response.headers);
    return await readAsset(response);
  } catch (error) {
    noteFault(error);
    throw error;
  }
}

async function bodyOf(slug: string, file: Blob, etag: string | undefined): Promise<Blob> {
  const version = etag === undefined ? { createOnly: true } : { etag };
  const envelopes = [enveloped({ case: "header", value: { slug, size: file.size, ...version } })];
  const size = isTooLarge(file) ? 0 : file.size; // the service refuses a file that is too large because of its header
  for (let at = 0; at < size; at += CHUNK_BYTES) {
    const value = new Uint8Array(await file.slice(at, at + CHUNK_BYTES).arrayBuffer());
    envelopes.push(enveloped({ case: "chunk", value }));
  }
  return new Blob(envelopes);
}

function isTooLarge({ size }: Blob): boolean {
  return size > MAX_UPLOAD_MEGABYTES * 1024 * 1024;
}

type Part = MessageInitShape<typeof UploadAssetRequestSchema>["part"];

function enveloped(part: Part): Uint8Array<ArrayBuffer> {
  return encodeEnvelope(0, toBinary(UploadAssetRequestSchema, create(UploadAssetRequestSchema, { part })));
}

/** @throws ConnectError if the service refuses the file; the error arrives at the end of the stream */
async function readAsset({ body }: Response): Promise<Asset> {
  let asset: Asset | undefined;
  for await (const { flags, data } of messagesIn(body)) {
    if ((flags & endStreamFlag) === 0) asset = fromBinary(AssetSchema, data);
    else {
      const { error } = endStreamFromJson(data);
      if (error) throw error;
    }
  }
  if (!asset) throw new ConnectError("The response has ended without an asset.");
  return asset;
}

/** Reads messages with a reader, because some browsers can't iterate over a stream. */
async function* messagesIn(body: ReadableStream<Uint8Array> | null) {
  if (!body) return;
  const reader = createEnvelopeReadableStream(body).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
}

/** Converts a file name to a slug: `Crest (2).svg` becomes `crest-2`. */
export function slugOf(fileName: string): string {
  const name = fileName.replace(/\.[^.]*$/, "").toLowerCase();
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9_]+/g, "-");
  return plain.replace(/^[-_]+|-+$/g, "").slice(0, MAX_SLUG);
}

export interface UploadedFile {
  readonly asset: Asset;
  readonly change: PictureChange | undefined;
  /** Whether the same content already existed under another slug. Then it is not stored again. */
  readonly isKnown: boolean;
}

/**
 * Prepares a file for printing, and uploads it under an unused slug, unless the same content has already been uploaded.
 */
export async function uploadFile(file: File, assets: readonly Asset[]): Promise<UploadedFile> {
  const prepared = await preparedFile(file);
  const sha256 = isTooLarge(prepared.file) ? "" : await sha256Of(prepared.file);
  const existing = assets.find((asset) => asset.sha256 === sha256);
  const asset = existing ?? (await uploadNew(slugOf(file.name) || "file", prepared.file, assets));
  return {
    asset,
    change: prepared.change,
    isKnown: existing !== undefined && existing.slug !== slugOf(file.name),
  };
}

/** Uses a library, because browsers offer no hash functions over plain HTTP. */
async function sha256Of(file: Blob): Promise<string> {
  const [{ sha256 }, { bytesToHex }] = await Promise.all([
    import("@noble/hashes/sha2.js"),
    import("@noble/hashes/utils.js"),
  ]);
  return bytesToHex(sha256(new Uint8Array(await file.arrayBuffer())));
}

/** Uploads a file under the first unused slug. Slugs that aren't in the list can be in use, too. */
async function uploadNew(slug: string, file: Blob, assets: readonly Asset[]): Promise<Asset> {
  const taken = new Set(assets.map((asset) => asset.slug));
  for (let number = 1; ; number++) {
    const free = number === 1 ? slug : `${slug.slice(0, 90)}-${number}`;
    if (taken.has(free)) continue;
    try {
      return await uploadAsset(free, file, undefined);
    } catch (error) {
      if (ConnectError.from(error).code !== Code.AlreadyExists) throw error;
    }
  }
}
