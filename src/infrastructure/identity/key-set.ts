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

/** Returns the fault of a JWK Set (RFC 7517) of public keys; undefined if it is valid. Quotes no key. */
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

/** Does the same for a file. */
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
