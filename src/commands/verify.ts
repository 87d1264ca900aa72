import type { Command } from "commander";
import { badgeInFile } from "../badges/badge-in-file.js";
import { verifyBadge } from "../badges/verify-badge.js";
import { invalid, Problem } from "../errors.js";
import { printable } from "../text/quoted.js";
import { readInput } from "./read-input.js";

/** Larger files are refused. */
const MAX_FILE = 16 * 1024 * 1024;

/** Maximum size of a DID document or status list. */
const MAX_DOCUMENT = 1024 * 1024;
const FETCH_TIMEOUT_MS = 10_000;

export function addCommand(program: Command): void {
  program
    .command("verify")
    .description("verify an Open Badge 3.0: signature, validity and revocation")
    .argument("<file>", "JSON or JWT, or a PDF, PNG or SVG that contains it")
    .addHelpText(
      "after",
      `
It needs no database and no settings: it fetches the keys and the status list from the addresses in the badge. It can't
tell whether the issuer's name is true: compare the issuer's DID with the one that the institution has published.`,
    )
    .action(async (file: string) => {
      const bytes = await readInput(file);
      if (bytes.length > MAX_FILE)
        throw invalid(`${file} has ${bytes.length} bytes; at most ${MAX_FILE} are accepted.`);
      const badge = badgeIn(file, bytes);
      const verdict = badge === undefined ? undefined : await verifyBadge(badge, fetchJson, new Date());
      if (!verdict)
        throw invalid(`${file} is neither an Open Badge 3.0 nor a PDF, PNG or SVG that contains one.`);
      const { says, problems } = verdict;
      const lines = [
        `badge:   ${printable(says.name)}`,
        `holder:  ${printable(says.holder)}`,
        `issuer:  ${printable(says.issuerName)}, ${printable(says.issuer)}`,
        ...(problems.length === 0 ? ["verdict: valid: signed by its issuer, and not revoked"] : []),
      ];
      process.stdout.write(`${lines.join("\n")}\n`);
      if (problems.length > 0)
        throw new Problem("failed-precondition", `verdict: not valid\n${problems.join("\n")}`);
    });
}

function badgeIn(file: string, bytes: Buffer): string | undefined {
  try {
    return badgeInFile(bytes).badge();
  } catch (error) {
    if (error instanceof RangeError) throw invalid(`${file}: ${error.message}.`, error);
    throw error;
  }
}

/**
 * The author of the file chooses the URL. So only HTTPS or this machine is allowed, with limits on time and
 * size.
 */
async function fetchJson(url: string): Promise<unknown> {
  const { protocol, hostname } = new URL(url);
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  if (protocol !== "https:" && !(protocol === "http:" && isHere)) throw new Error(`${url} is not https`);
  const response = await fetch(url, {
    headers: { accept: "application/json, application/did+json, application/vc" },
    redirect: "error",
    signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
  }).catch((cause) => {
    throw new Error(`${url} can't be reached`, { cause });
  });
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_DOCUMENT) throw new Error(`${url} answers with more than ${MAX_DOCUMENT} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw new Error(`${url} does not answer with JSON`);
  }
}
