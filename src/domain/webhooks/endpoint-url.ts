import { invalidField, quoted, wrongField } from "#foundation/errors.js";
import { hasNoUser } from "#foundation/text/has-no-user.js";
import type { AddressRule } from "#infrastructure/outbound/address-rule.js";
import { literalRefusal } from "#infrastructure/outbound/guard.js";

const MAX_LENGTH = 2000;

/** The lowest port that needs no privileges. Lower ports are used for email, remote shells and directories. */
const MIN_PORT = 1024;

const usualPorts: Readonly<Record<string, number>> = { "https:": 443, "http:": 80 };

/**
 * Checks a URL, and returns it in normalised form. If the URL has an IP address, checks the address. The addresses of a
 * host name may change, so they are checked when a connection is made.
 * @throws Problem `invalid`
 */
export function checkEndpointUrl(field: string, text: string, rule: AddressRule): string {
  if (text.length > MAX_LENGTH)
    throw wrongField(field, `has ${text.length} characters; at most ${MAX_LENGTH} are accepted.`);
  if (!URL.canParse(text))
    throw wrongField(field, `is ${quoted(text)}; it must be a URL, such as https://lms.example.org/hooks.`);
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw wrongField(field, `begins with ${quoted(url.protocol)}; it must begin with https://.`);
  if (!hasNoUser(text))
    throw wrongField(field, "contains a username or password: remove it. Requests are signed instead.");
  if (url.hash !== "") throw wrongField(field, "contains a fragment, which is never sent: remove it.");
  const port = url.port === "" ? usualPorts[url.protocol] : Number(url.port);
  if (port !== usualPorts[url.protocol] && (port === undefined || port < MIN_PORT))
    throw wrongField(
      field,
      `has port ${port}; it must be ${usualPorts[url.protocol]}, or ${MIN_PORT} to 65535.`,
    );
  const refusal = literalRefusal(url, rule);
  if (refusal !== undefined) throw invalidField(field, `${field}: ${refusal}.`);
  return url.href;
}
