import { describe, expect, test } from "vitest";
import type { PresentedCredentials } from "#infrastructure/identity/caller.js";
import { presentedTokens } from "#infrastructure/identity/presented-token.js";

const both = "edx-jwt-cookie-header-payload=h.p; edx-jwt-cookie-signature=s";

/** Combines these header-and-payload and signature cookies, as a browser sends them. */
const tossed = (headers: string[], signatures: string[]) =>
  [
    ...headers.map((value) => `edx-jwt-cookie-header-payload=${value}`),
    ...signatures.map((value) => `edx-jwt-cookie-signature=${value}`),
  ].join("; ");

describe("the token among the credentials", () => {
  test.each<[string, PresentedCredentials, string | undefined]>([
    ["nothing at all", {}, undefined],
    ["Bearer", { authorization: "Bearer h.p.s" }, "h.p.s"],
    ["JWT", { authorization: "JWT h.p.s" }, "h.p.s"],
    ["scheme in lower case", { authorization: "bearer h.p.s" }, "h.p.s"],
    ["scheme in odd case", { authorization: "jWt h.p.s" }, "h.p.s"],
    ["several spaces", { authorization: "Bearer   h.p.s" }, "h.p.s"],
    ["an unsigned token, left to the check", { authorization: "Bearer h.p." }, "h.p."],
    ["both cookies", { cookie: both }, "h.p.s"],
    [
      "both cookies among others, any order",
      { cookie: "a=1; edx-jwt-cookie-signature=s;edx-jwt-cookie-header-payload=h.p ;b=2" },
      "h.p.s",
    ],
    [
      "quoted cookies",
      { cookie: 'edx-jwt-cookie-header-payload="h.p"; edx-jwt-cookie-signature="s"' },
      "h.p.s",
    ],
    ["Authorization wins over cookies", { authorization: "JWT a.b.c", cookie: both }, "a.b.c"],
    ["one cookie without the other", { cookie: "edx-jwt-cookie-header-payload=h.p" }, undefined],
    [
      "cookies that were emptied",
      { cookie: "edx-jwt-cookie-header-payload=; edx-jwt-cookie-signature=" },
      undefined,
    ],
    ["cookie names in another case", { cookie: both.toUpperCase() }, undefined],
    ["a name that only ends alike", { cookie: both.replaceAll("edx-", "x-edx-") }, undefined],
    ["cookies of others", { cookie: "sessionid=1; __proto__=2; =; ;;" }, undefined],
    ["16 KiB", { authorization: `Bearer ${"x".repeat(16 * 1024)}` }, "x".repeat(16 * 1024)],
  ])("%s", (_name, credentials, token) => {
    expect(presentedTokens(credentials)).toEqual(token === undefined ? [] : [token]);
  });

  test.each<[string, string[], string[], string[]]>([
    ["one of each, twice", ["h.p", "h.p"], ["s", "s"], ["h.p.s"]],
    ["two of a name", ["x.x", "h.p"], ["s"], ["x.x.s", "h.p.s"]],
    ["two of both", ["x.x", "h.p"], ["x", "s"], ["x.x.x", "x.x.s", "h.p.x", "h.p.s"]],
    ["empty ones beside another", ["", "h.p"], ["", "s"], ["h.p.s"]],
    ["one too long to be one", ["x".repeat(16 * 1024), "h.p"], ["s"], ["h.p.s"]],
    ["no more than three", ["1", "2", "3", "4"], ["s"], ["1.s", "2.s", "3.s"]],
    [
      "no more than nine pairs",
      [..."1234"],
      [..."abcd"],
      [..."123"].flatMap((n) => [..."abc"].map((c) => `${n}.${c}`)),
    ],
  ])("cookies: %s", (_name, headers, signatures, tokens) => {
    expect(presentedTokens({ cookie: tossed(headers, signatures) })).toEqual(tokens);
  });

  test.each<[string, PresentedCredentials]>([
    ["Basic", { authorization: "Basic dXNlcjpwYXNz" }],
    ["Basic beside good cookies", { authorization: "Basic dXNlcjpwYXNz", cookie: both }],
    ["blank", { authorization: "" }],
    ["no token", { authorization: "Bearer" }],
    ["no token but a space", { authorization: "Bearer " }],
    ["no scheme", { authorization: "h.p.s" }],
    ["no space", { authorization: "Bearerh.p.s" }],
    ["two tokens", { authorization: "Bearer h.p.s h.p.s" }],
    ["two headers joined", { authorization: "Bearer h.p.s, Bearer h.p.s" }],
    ["a line break", { authorization: "Bearer h.p.s\nX: y" }],
    ["a long row of spaces", { authorization: `Bearer${" ".repeat(100_000)}` }],
    ["over 16 KiB", { authorization: `Bearer ${"x".repeat(16 * 1024 + 1)}` }],
    [
      "over 16 KiB in cookies",
      { cookie: `edx-jwt-cookie-header-payload=${"x".repeat(16 * 1024)}; edx-jwt-cookie-signature=s` },
    ],
  ])("refused: %s", (_name, credentials) => {
    expect(() => presentedTokens(credentials)).toThrow(expect.objectContaining({ kind: "unauthenticated" }));
  });
});
