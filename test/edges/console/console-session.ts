import type { DescMethod } from "@bufbuild/protobuf";
import type { Role } from "#infrastructure/identity/roles.js";
import { createSignInLink } from "#infrastructure/sessions/sign-in-link.js";
import { send } from "../../contract/raw-request.js";
import type { TestService } from "../../support/service.js";
import type { IdentityProvider } from "./identity-provider.js";

/** Headers that a browser adds to requests from this service's own pages. */
export const SAME_ORIGIN = { "sec-fetch-site": "same-origin" };

/** The user and rights of a sign-in link, and its lifetime. */
export interface Link {
  readonly username?: string;
  readonly roles?: readonly Role[];
  readonly organisations?: readonly string[];
  readonly lifetimeS?: number;
}

/** Returns the secret of a new sign-in link. */
export async function secretOf({ app }: TestService, link: Link = {}): Promise<string> {
  const request = { username: "rita", roles: [], organisations: [], lifetimeS: 600, ...link };
  const url = await createSignInLink(app.database.knex, app.publicUrl, request);
  const [, secret] = /^https?:\/\/[^/]+\/console\/#sign-in=([\w-]{22})$/.exec(url) ?? [];
  if (secret === undefined) throw new Error(`this is no sign-in link: ${url}`);
  return secret;
}

type Headers = Readonly<Record<string, string>>;

export function postSecret({ httpUrl }: TestService, secret: unknown, headers: Headers = SAME_ORIGIN) {
  return send(httpUrl, {
    method: "POST",
    target: "/console/session",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ secret }),
  });
}

/**
 * Signs in with a link.
 * @returns the cookie, as a browser sends it
 */
export async function signIn(service: TestService, link: Link = {}): Promise<string> {
  const { status, headers } = await postSecret(service, await secretOf(service, link));
  const [, cookie] = /^([^;]+);/.exec(String(headers["set-cookie"])) ?? [];
  if (status !== 204 || cookie === undefined) throw new Error(`signing in was answered with ${status}`);
  return cookie;
}

/** Calls a method like a page of the console. */
export function callAtConsole(
  { httpUrl }: TestService,
  method: DescMethod,
  request: object,
  headers: Headers,
) {
  return send(httpUrl, {
    method: "POST",
    target: `/console/rpc/${method.parent.typeName}/${method.name}`,
    headers: { "content-type": "application/json", ...SAME_ORIGIN, ...headers },
    body: JSON.stringify(request),
  });
}

/**
 * Signs in with the identity provider.
 * @returns the cookie, as a browser sends it
 */
export async function signInWithProvider({ httpUrl }: TestService, provider: IdentityProvider) {
  const get = (target: string, cookie = "") =>
    send(httpUrl, { method: "GET", target, headers: cookie === "" ? {} : { cookie } });
  const begun = await get("/console/sign-in");
  const back = new URL(await provider.consent(begun.headers.location ?? ""));
  const pending = cookieOf(begun.headers, "__Host-lc_sign_in");
  const { status, headers } = await get(`${back.pathname}${back.search}`, pending);
  return { status, cookie: cookieOf(headers, "__Host-lc_console") };
}

function cookieOf(headers: { readonly "set-cookie"?: string[] | undefined }, name: string): string {
  const line = (headers["set-cookie"] ?? []).find((each) => each.startsWith(`${name}=`)) ?? "";
  return line.split(";")[0] ?? "";
}
