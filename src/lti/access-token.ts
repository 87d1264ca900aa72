import { randomUUID } from "node:crypto";
import { SignJWT } from "jose";
import { z } from "zod";
import { Problem } from "../errors.js";
import type { Lti } from "./open-lti.js";
import type { Registration } from "./registration.js";

/** Permits to read the members of a course. */
export const MEMBERS_SCOPE = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly";

/** An assertion counts for this long, in seconds. */
const ASSERTION_LIFETIME_S = 300;

const granted = z.object({ access_token: z.string().min(1).max(10_000) });

/**
 * Asks a platform for an access token, with our own key: it is about no person.
 * @throws Problem `failed-precondition` if the platform refuses, `unavailable` if it can't be asked
 */
export async function requestToken(
  { toolKeys, ask, now }: Pick<Lti, "toolKeys" | "ask" | "now">,
  { clientId, tokenUrl, tokenAudience }: Registration,
  scope: string,
  signal: AbortSignal,
): Promise<string> {
  const { kid, key } = await toolKeys.signing(signal);
  const issuedAt = Math.floor(now() / 1000);
  const assertion = await new SignJWT({})
    .setProtectedHeader({ alg: "RS256", typ: "JWT", kid })
    .setIssuer(clientId)
    .setSubject(clientId)
    // One text: Brightspace answers a list with 500.
    .setAudience(tokenAudience === "" ? tokenUrl : tokenAudience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ASSERTION_LIFETIME_S)
    .setJti(randomUUID())
    .sign(key);
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: assertion,
    scope,
  });
  const { status, text } = await ask("The platform's token endpoint", tokenUrl, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    body: form.toString(),
  });
  const answer = status === 200 ? granted.safeParse(jsonOf(text)) : undefined;
  if (answer?.success) return answer.data.access_token;
  throw new Problem(
    "failed-precondition",
    `The platform gives no access token (status ${status}): permit ${scope} there, and compare the token URL and its audience.`,
  );
}

/** @returns undefined for a text that is no JSON */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
