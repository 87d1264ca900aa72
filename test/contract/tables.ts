import { describe, expect, test } from "vitest";
import type { TestService } from "../support/service.js";
import { authentication } from "./authentication.js";
import { configuredRoute, malformedKeys, wellFormedKeys } from "./configured.js";
import { existingCredentials } from "./eligibility/existing-credentials.js";
import { orderOfChecks } from "./eligibility/order-of-checks.js";
import { parameters } from "./eligibility/parameters.js";
import { reports } from "./eligibility/reports.js";
import { type Exchange, jsonHeaders, targetOf } from "./exchange.js";
import { limits, methods, redirects, unknownRoutes, unreadable } from "./http.js";
import { found, notFound, otherErrors } from "./metadata.js";
import { send } from "./raw-request.js";

/**
 * The contract of the three REST routes over HTTP, with every status, header and byte, for all requests that can be
 * parsed.
 */
export const tables: Record<string, Exchange[]> = {
  "configured: access to the body": configuredRoute,
  "configured: well-formed keys": wellFormedKeys,
  "configured: malformed keys": malformedKeys,
  "eligibility: reports": reports,
  "eligibility: existing credentials": existingCredentials,
  "eligibility: query parameters": parameters,
  "eligibility: the order of checks": orderOfChecks,
  "metadata: found": found,
  "metadata: not found": notFound,
  "metadata: other errors": otherErrors,
  authentication,
  "methods other than GET": methods,
  "the slash at the end": redirects,
  "unknown routes": unknownRoutes,
  "long URLs": limits,
};

/** Tests every row of the contract on a service that has the contract's academy. */
export function describeContract(service: () => TestService): void {
  describe.each(Object.entries({ ...tables, "unreadable requests": unreadable }))("%s", (_, exchanges) => {
    test.each(byName(exchanges))("%s", async (_, exchange) => {
      const { method = "GET", as, status, body, headers } = exchange;
      const answer = await send(service().httpUrl, { method, target: targetOf(exchange), headers: as });
      expect({ status: answer.status, body: withoutSignature(answer.body) }).toEqual({ status, body });
      const expected = { ...jsonHeaders(answer.body), ...headers };
      const names = Object.keys(expected);
      expect(Object.fromEntries(names.map((name) => [name, answer.headers[name]]))).toEqual(expected);
    });
  });

  /**
   * The response to HEAD is the response to GET without the body. An unreadable request has no known method, so it has
   * no row here.
   */
  describe.each(Object.entries(tables))("HEAD: %s", (_, exchanges) => {
    const gets = exchanges.filter(({ method = "GET" }) => method === "GET");

    test.each(byName(gets))("%s", async (_, exchange) => {
      const requested = { target: targetOf(exchange), headers: exchange.as };
      const get = await send(service().httpUrl, { ...requested, method: "GET" });
      const head = await send(service().httpUrl, { ...requested, method: "HEAD" });
      expect(lasting(head.headers)).toEqual(lasting(get.headers));
      expect([head.status, head.body]).toEqual([get.status, ""]);
    });
  });
}

function byName(exchanges: readonly Exchange[]): [string, Exchange][] {
  return exchanges.map((exchange) => [exchange.name, exchange]);
}

/** Removes the signature of download links, which changes every second. */
function withoutSignature(body: string): string {
  return body.replace(/\?expires=\d{10}&signature=[\w-]{43}"/, '?expires=…&signature=…"');
}

/** Returns the headers that are the same in each response. */
function lasting({ date, "x-request-id": id, ...headers }: Record<string, unknown>): Record<string, unknown> {
  return headers;
}
