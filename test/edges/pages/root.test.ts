import { expect, test } from "vitest";
import { givenService, startTestService } from "../../support/service.js";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

const service = givenService();

const request = (method: string, accept: string, path = "/") =>
  fetch(service.httpUrl + path, { method, headers: { accept }, redirect: "manual" });

test("a browser that opens the host name gets the page that looks up credentials", async () => {
  for (const method of ["GET", "HEAD"]) {
    for (const path of ["/", "/?utm_source=x"]) {
      const { status, headers } = await request(method, BROWSER, path);
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

test("so does a verifier that checks whether the issuer's site exists", async () => {
  for (const accept of ["*/*", "application/json"]) {
    for (const method of ["GET", "HEAD"]) {
      const { status, headers } = await request(method, accept);
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

test("another method is not allowed, and another path is not found", async () => {
  const posted = await request("POST", BROWSER);
  expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  const elsewhere = await request("GET", BROWSER, "/x");
  expect(elsewhere.status).toBe(404);
  expect(await elsewhere.json()).toEqual({ detail: "Not found." });
});
