import type { TextDecoder } from "node:util";
import type { ConnectError } from "@connectrpc/connect";
import type { UniversalServerRequest, UniversalServerResponse } from "@connectrpc/connect/protocol";
import type { compressionGzip } from "@connectrpc/connect-node";
import type { AdmittedCall } from "#api/pipeline/inbound.js";

/** Serves one method over one family of protocols. */
export interface ConnectEndpoint {
  readonly allowedMethods: readonly string[];
  supportsContentType(contentType: string): boolean;
  answer(request: UniversalServerRequest, call: AdmittedCall): Promise<UniversalServerResponse>;
  /** Sends an error response without reading the request. */
  refuse(request: UniversalServerRequest, error: ConnectError): Promise<UniversalServerResponse>;
}

export interface ConnectOptions {
  readonly acceptCompression: (typeof compressionGzip)[];
  readonly readMaxBytes: number;
  readonly jsonOptions: { ignoreUnknownFields: boolean; textDecoder: TextDecoder };
}
