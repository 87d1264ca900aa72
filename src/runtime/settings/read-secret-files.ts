import { readFileSync } from "node:fs";
import { withoutByteOrderMark } from "#foundation/text/byte-order-mark.js";

/**
 * Settings that are secrets. Alternatively, a variable with the suffix `_FILE` can contain the path of a file with the
 * secret.
 */
export const secretNames = [
  "DATABASE_URL",
  "DATABASE_DIRECT_URL",
  "DATABASE_OWNER_URL",
  "URL_SIGNING_SECRET",
  "AUTH_JWT_SECRET",
  "OIDC_CLIENT_SECRET",
  "WEBHOOK_SECRET",
  "LTI_SECRET",
  "SETTINGS_SECRET",
  "S3_ACCESS_KEY",
  "S3_SECRET_KEY",
  "SMTP_URL",
] as const;

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Reads secrets from files, which container platforms mount. Removes trailing white space and a leading byte order
 * mark.
 * @returns the variables with the secrets added, and the problems, one per line
 */
export function readSecretFiles(variables: Variables): { variables: Variables; problems: string[] } {
  const read: Record<string, string> = {};
  const problems: string[] = [];
  for (const name of secretNames) {
    const path = variables[`${name}_FILE`];
    if (path === undefined) continue;
    if (variables[name] !== undefined) {
      problems.push(`${name}_FILE: ${name} is also set: remove one of them`);
      continue;
    }
    try {
      read[name] = withoutByteOrderMark(readFileSync(path, "utf8")).trimEnd();
      if (read[name] === "") problems.push(`${name}_FILE: ${path} is empty`);
    } catch (error) {
      problems.push(`${name}_FILE: ${path} can't be read: ${(error as Error).message}`);
    }
  }
  return { variables: { ...variables, ...read }, problems };
}
