import { create } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { type UniversalClientFn, universalClientResponseFromFetch } from "@connectrpc/connect/protocol";
import { createTransport } from "@connectrpc/connect/protocol-connect";
import type { Asset } from "../../../gen/learning_credentials/v1/configuration_pb.js";
import {
  ConfigurationService,
  type UploadAssetRequest,
  UploadAssetRequestSchema,
} from "../../../gen/learning_credentials/v1/configuration_service_pb.js";
import { noteFaults } from "./api.js";

/** A slow line takes its time for a large file. */
const UPLOAD_TIMEOUT_MS = 300_000;
const CHUNK_BYTES = 256 * 1024;
const MOST_BYTES = 2 ** 31 - 1;

/** Over HTTP/1.1, browsers send a body in one piece: what a call streams is collected first. */
const sendInOnePiece: UniversalClientFn = async ({ url, method, header, signal, body }) => {
  const pieces: BlobPart[] = [];
  for await (const piece of body ?? []) pieces.push(piece as Uint8Array<ArrayBuffer>);
  const response = await fetch(url, { method, headers: header, signal, body: new Blob(pieces) });
  return universalClientResponseFromFetch(response);
};

const transport = createTransport({
  baseUrl: "/console/rpc",
  httpClient: sendInOnePiece,
  useBinaryFormat: true,
  interceptors: [noteFaults],
  defaultTimeoutMs: UPLOAD_TIMEOUT_MS,
  acceptCompression: [],
  sendCompression: null,
  compressMinBytes: MOST_BYTES,
  readMaxBytes: MOST_BYTES,
  writeMaxBytes: MOST_BYTES,
});

/**
 * Uploads a file for designs.
 * @param etag of the file that it replaces; empty: none, or whichever is there
 */
export function uploadAsset(slug: string, file: Blob, etag: string): Promise<Asset> {
  return createClient(ConfigurationService, transport).uploadAsset(partsOf(slug, file, etag));
}

async function* partsOf(slug: string, file: Blob, etag: string): AsyncGenerator<UploadAssetRequest> {
  const header = { slug, size: file.size, etag };
  yield create(UploadAssetRequestSchema, { part: { case: "header", value: header } });
  for (let at = 0; at < file.size; at += CHUNK_BYTES) {
    const value = new Uint8Array(await file.slice(at, at + CHUNK_BYTES).arrayBuffer());
    yield create(UploadAssetRequestSchema, { part: { case: "chunk", value } });
  }
}
