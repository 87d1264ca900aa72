import type { TextDecoder } from "node:util";
import type { ConnectError } from "@connectrpc/connect";
import type { UniversalServerRequest, UniversalServerResponse } from "@connectrpc/connect/protocol";
import type { compressionGzip } from "@connectrpc/connect-node";
import type { AdmittedCall } from "../../pipeline/admitted-call.js";

/** One method over one family of protocols. */
export interface Endpoint {
  readonly allowedMethods: readonly string[];
  supportsContentType(contentType: string): boolean;
  /** Reads the request, runs the call, and answers with what came of it. */
  answer(request: UniversalServerRequest, call: AdmittedCall): Promise<UniversalServerResponse>;
  /** Answers with an error, and reads nothing. */
  refuse(request: UniversalServerRequest, error: ConnectError): Promise<UniversalServerResponse>;
}

/** What the protocol handlers of connect-node are built from. */
export interface ConnectOptions {
  readonly acceptCompression: (typeof compressionGzip)[];
  readonly readMaxBytes: number;
  readonly jsonOptions: { ignoreUnknownFields: boolean; textDecoder: TextDecoder };
}
