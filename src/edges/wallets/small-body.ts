import type { IncomingMessage } from "node:http";
import { WalletError } from "../../credentials/wallets/wallet-error.js";
import * as http from "../http/small-body.js";

/**
 * Reads the body of a wallet's request as text.
 * @param mediaType the only one that is read
 * @throws WalletError `invalid_request` when it is of another type; Problem when it is too large, or too slow
 */
export async function readSmallBody(request: IncomingMessage, mediaType: string): Promise<string> {
  if (http.mediaTypeOf(request) !== mediaType)
    throw new WalletError("invalid_request", `The body has to be ${mediaType}.`);
  return http.readSmallBody(request);
}
