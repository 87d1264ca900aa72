import { isIP } from "node:net";
import { invalid } from "../errors.js";
import { quoted } from "../text/quoted.js";
import type { AddressRule } from "./address-rule.js";

const MAX_LENGTH = 2000;

/** The lowest port that needs no privileges: below are mail, remote shells and directories. */
const MIN_PORT = 1024;

const usualPorts: Readonly<Record<string, number>> = { "https:": 443, "http:": 80 };

/**
 * Checks the URL of an endpoint, and returns it as it will be used. The addresses behind a name are checked
 * when it is connected to, because they may change.
 * @throws Problem `invalid`
 */
export function checkEndpointUrl(field: string, text: string, rule: AddressRule): string {
  if (text.length > MAX_LENGTH)
    throw invalid(`${field} has ${text.length} characters; at most ${MAX_LENGTH} are accepted.`);
  if (!URL.canParse(text))
    throw invalid(`${field} is ${quoted(text)}; it must be a URL, such as https://lms.example.org/hooks.`);
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw invalid(`${field} begins with ${quoted(url.protocol)}; it must begin with https://.`);
  if (url.username !== "" || url.password !== "")
    throw invalid(`${field} contains a user or a password: leave them out, as requests are signed.`);
  if (url.hash !== "") throw invalid(`${field} contains a fragment, which is never sent: leave it out.`);
  const port = url.port === "" ? usualPorts[url.protocol] : Number(url.port);
  if (port !== usualPorts[url.protocol] && (port === undefined || port < MIN_PORT))
    throw invalid(
      `${field} names port ${port}; it must be ${usualPorts[url.protocol]}, or ${MIN_PORT} to 65535.`,
    );
  const refusal = literalRefusal(url, rule);
  if (refusal !== undefined) throw invalid(`${field}: ${refusal}`);
  return url.href;
}

/** Returns the address in a URL, without brackets; undefined if it has a name. */
export function literalAddress({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  return isIP(host) === 0 ? undefined : host;
}

/**
 * Returns why a URL with an address, or without TLS, can't be used; undefined if nothing speaks against it. An
 * address never passes name resolution, so it is checked here.
 */
export function literalRefusal(url: URL, rule: AddressRule): string | undefined {
  const address = literalAddress(url);
  const kind = address === undefined ? undefined : rule.refusalOf(address);
  if (kind !== undefined) return forbidden(kind);
  if (url.protocol === "http:" && address !== undefined && !rule.isInAllowedNetwork(address))
    return UNENCRYPTED;
  return undefined;
}

export const UNENCRYPTED =
  "http:// is only possible into networks that WEBHOOK_ALLOWED_NETWORKS names: use https://.";

/** @param kind as `AddressRule.refusalOf` names it */
export function forbidden(kind: string): string {
  return (
    `its address is not public (${kind}): events are posted to public addresses, and into networks that ` +
    "WEBHOOK_ALLOWED_NETWORKS names."
  );
}
