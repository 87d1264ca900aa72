import { expect, test } from "vitest";
import { givenService, startTestService } from "../../support/service.js";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

const service = givenService();

const ask = (method: string, accept: string, path = "/") =>
  fetch(service.httpUrl + path, { method, headers: { accept }, redirect: "manual" });

test("a browser that opens the host name gets to the page that looks credentials up", async () => {
  for (const method of ["GET", "HEAD"]) {
    for (const path of ["/", "/?utm_source=x"]) {
      const { status, headers } = await ask(method, BROWSER, path);
      expect(status).toBe(302);
      expect(Object.fromEntries(headers)).toMatchObject({
        location: "/verify/",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      });
    }
  }
  const page = await fetch(service.httpUrl, { headers: { accept: BROWSER } });
  expect([page.status, page.url]).toEqual([200, `${service.httpUrl}/verify/`]);
});

test("so does a verifier, which looks whether the issuer's site is there", async () => {
  for (const accept of ["*/*", "application/json"]) {
    for (const method of ["GET", "HEAD"]) {
      const { status, headers } = await ask(method, accept);
      expect([status, headers.get("location")]).toEqual([302, "/verify/"]);
    }
  }
});

test("behind a proxy that serves it below a path, that path is kept", async () => {
  const below = await startTestService({
    beside: service,
    settings: { PUBLIC_URL: "https://uni.test/credentials" },
  });
  try {
    const { headers } = await fetch(below.httpUrl, { redirect: "manual" });
    expect(headers.get("location")).toBe("/credentials/verify/");
  } finally {
    await below.stop();
  }
});

test("what is not asked for by GET, or elsewhere, is not found", async () => {
  const others = [ask("POST", BROWSER), ask("GET", BROWSER, "/x")];
  for (const answer of await Promise.all(others)) {
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ detail: "Not found." });
  }
});
