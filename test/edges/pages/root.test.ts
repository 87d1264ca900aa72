import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "../../support/service.js";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

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
        vary: "Accept",
        "x-content-type-options": "nosniff",
      });
    }
  }
  const page = await fetch(service.httpUrl, { headers: { accept: BROWSER } });
  expect([page.status, page.url]).toEqual([200, `${service.httpUrl}/verify/`]);
});

test("programs get 404 in JSON at the root, and browsers get 404 elsewhere", async () => {
  const others = [
    ask("GET", "*/*"),
    ask("GET", "application/json"),
    ask("POST", BROWSER),
    ask("GET", BROWSER, "/x"),
  ];
  for (const answer of await Promise.all(others)) {
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ detail: "Not found." });
  }
});
