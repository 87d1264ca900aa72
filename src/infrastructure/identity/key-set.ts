import { readFileSync } from "node:fs";
import { z } from "zod";
import { withoutByteOrderMark } from "#foundation/text/byte-order-mark.js";

/** Members of private keys and of secrets (RFC 7518, 6.2 to 6.4). */
const PRIVATE = ["d", "k", "p", "q", "dp", "dq", "qi", "oth"];

const keySet = z.looseObject({
  keys: z
    .array(
      z.looseObject({ kty: z.string("must be a string") }).superRefine((key, context) => {
        const found = PRIVATE.find((name) => name in key);
        if (found === undefined) return;
        context.addIssue({
          code: "custom",
          message: `is private (it has "${found}"): give its public members only`,
        });
      }),
      "must be a list",
    )
    .min(1, "must name at least one key"),
});

/**
 * Returns a description of the error in a JWK Set of public keys (RFC 7517); undefined if the set is valid. The
 * description contains no keys.
 */
export function problemOfKeySet(text: string): string | undefined {
  let content: unknown;
  try {
    content = JSON.parse(withoutByteOrderMark(text));
  } catch {
    return 'is not JSON; a JWK Set looks like {"keys": [{"kty": "RSA", "kid": "openedx", "n": "…", "e": "AQAB"}]}';
  }
  const [issue] = keySet.safeParse(content).error?.issues ?? [];
  return issue && `${issue.path.join(".") || "the JWK Set"}: ${issue.message}`;
}

export function problemOfKeySetFile(path: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    return `${path} can't be read: ${(error as Error).message}`;
  }
  const problem = problemOfKeySet(text);
  return problem && `${path}: ${problem}`;
}
