import { expect, onTestFinished, test } from "vitest";
import { startTestService } from "../../support/service.js";

const PATH = "/.well-known/security.txt";

async function request(settings: Record<string, string>, method = "GET") {
  const service = await startTestService({ settings });
  onTestFinished(() => service.stop());
  const answer = await fetch(`${service.httpUrl}${PATH}`, { method });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

test("security.txt names the contacts from the settings, and is valid for less than a year", async () => {
  const { status, headers, text } = await request({
    PUBLIC_URL: "https://credentials.example.org",
    SECURITY_CONTACT: "mailto:security@example.org, https://example.org/security",
  });
  expect([status, headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  const [first, second, expires = "", canonical, ...others] = text.split("\n");
  expect([first, second, canonical, others]).toEqual([
    "Contact: mailto:security@example.org",
    "Contact: https://example.org/security",
    `Canonical: https://credentials.example.org${PATH}`,
    [""],
  ]);
  expect(expires).toMatch(/^Expires: \d{4}-\d\d-\d\dT00:00:00.000Z$/);
  const days = (Date.parse(expires.slice("Expires: ".length)) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(170);
  expect(days).toBeLessThan(365);
});

test("it doesn't exist without a contact, nor if the service is not reached by HTTPS", async () => {
  expect((await request({ PUBLIC_URL: "https://credentials.example.org" })).status).toBe(404);
  const settings = { PUBLIC_URL: "http://credentials.example.org", SECURITY_CONTACT: "mailto:s@example.org" };
  expect((await request(settings)).status).toBe(404);
});
