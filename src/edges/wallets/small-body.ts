import type { IncomingMessage } from "node:http";
import { WalletError } from "../../credentials/wallets/wallet-error.js";
import { Problem } from "../../errors.js";

/** A proof and what is around it are smaller, in bytes. */
const MAX_BODY = 32 * 1024;

const ARRIVES_WITHIN_MS = 10_000;

/**
 * Reads the body of a wallet's request as text.
 * @param mediaType the only one that is read
 * @throws WalletError `invalid_request` when it is of another type; Problem when it is too large, or too slow
 */
export async function readSmallBody(request: IncomingMessage, mediaType: string): Promise<string> {
  const [type = ""] = (request.headers["content-type"] ?? "").toLowerCase().split(";", 1);
  if (type.trim() !== mediaType) throw new WalletError("invalid_request", `The body has to be ${mediaType}.`);
  if (Number(request.headers["content-length"] ?? 0) > MAX_BODY) throw tooLarge();
  const timer = setTimeout(
    () => request.destroy(new Problem("deadline-exceeded", "The request took too long to arrive.")),
    ARRIVES_WITHIN_MS,
  );
  try {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of request) {
      size += chunk.length;
      if (size > MAX_BODY) throw tooLarge();
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString("utf8");
  } finally {
    clearTimeout(timer);
  }
}

function tooLarge(): Problem {
  return new Problem("resource-exhausted", `The body has more than ${MAX_BODY} bytes.`);
}
