import { describe, expect, test } from "vitest";
import type { PresentedCredentials } from "../../src/identity/caller.js";
import { presentedToken } from "../../src/identity/presented-token.js";

const both = "edx-jwt-cookie-header-payload=h.p; edx-jwt-cookie-signature=s";

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
    ["the first of two cookies of a name", { cookie: `${both}; edx-jwt-cookie-signature=other` }, "h.p.s"],
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
    expect(presentedToken(credentials)).toBe(token);
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
    expect(() => presentedToken(credentials)).toThrow(expect.objectContaining({ kind: "unauthenticated" }));
  });
});
