import { accessSync, constants } from "node:fs";
import { ofSigner } from "#domain/keys/signing-keys.js";

/** Value of SIGNING_KEY_FILES that disables signing. */
export const NONE = "none";

/**
 * Settings that name one file, or several separated by commas. Files of secrets and ISSUERS_FILE are read elsewhere.
 */
const NAMES = [
  "TLS_CERT_FILE",
  "TLS_KEY_FILE",
  "TLS_CLIENT_CA_FILE",
  "CONNECTORS_FILE",
  "SIGNING_KEY_FILES",
  "PDF_SEAL_CERT_FILE",
  "PDF_SEAL_KEY_FILE",
  "TSA_CA_FILE",
  "LOG_KEY_FILE",
  "LOG_POLICY_FILE",
  "WITNESS_KEY_FILE",
  "LEARNING_CREDENTIALS_PLUGINS",
] as const;

/**
 * Finds files that the settings name but this process can't read, so that a single error reports all of them.
 * @returns the problems, one per line
 */
export function unreadableFiles(texts: Readonly<Record<string, string | undefined>>): string[] {
  return NAMES.flatMap((name) => {
    const isOne = /^(?:TLS|TSA|PDF|LOG|WITNESS)_/.test(name);
    const paths = isOne ? [texts[name] ?? ""] : (texts[name] ?? "").split(",");
    return paths
      .map((path) => path.trim())
      .filter((path) => path !== "" && isPath(name, path))
      .flatMap((path) => problemOf(name, path) ?? []);
  });
}

/** Returns whether the text is the path of a file. Plug-ins can be package names, and keys can come from a signer. */
function isPath(name: (typeof NAMES)[number], text: string): boolean {
  if (name === "LEARNING_CREDENTIALS_PLUGINS") return /^[./]/.test(text);
  if (name === "SIGNING_KEY_FILES" && text === NONE) return false;
  return !/KEY_FILES?$/.test(name) || name.startsWith("TLS") || !ofSigner.test(text);
}

function problemOf(name: string, path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK);
    return undefined;
  } catch (error) {
    return `${name}: ${path} can't be read: ${(error as Error).message}`;
  }
}
