import type { TextDecoder } from "node:util";
import type { UniversalServerRequest, UniversalServerResponse } from "@connectrpc/connect/protocol";
import type { compressionGzip } from "@connectrpc/connect-node";
import type { Inbound } from "../api/pipeline.js";

/** One method over one family of protocols. */
export interface Endpoint {
  readonly allowedMethods: readonly string[];
  supportsContentType(contentType: string): boolean;
  answer(request: UniversalServerRequest, inbound: Inbound): Promise<UniversalServerResponse>;
}

/** What the protocol handlers of connect-node are built from. */
export interface ConnectOptions {
  readonly acceptCompression: (typeof compressionGzip)[];
  readonly readMaxBytes: number;
  readonly jsonOptions: { ignoreUnknownFields: boolean; textDecoder: TextDecoder };
}
