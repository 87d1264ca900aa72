import axe from "axe-core";
import type { Browser } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { describeApi } from "#edges/openapi/document.js";
import { apiPage } from "#edges/openapi/page.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { findChromium, launchChromium } from "../pages/chromium.js";

const ADDRESS = "http://credentials.test/api/learning_credentials/v1/docs/";
const services = [CredentialService, ConfigurationService, EligibilityService];
const { html, contentSecurityPolicy } = apiPage(describeApi(services, "http://credentials.test"));

const executable = findChromium();
let browser: Browser | undefined;

afterAll(() => browser?.close());

test.skipIf(executable === undefined).for([
  { width: 390, colorScheme: "dark" },
  { width: 1280, colorScheme: "light" },
] as const)("is complete and accessible, $width wide and $colorScheme", async ({ width, colorScheme }) => {
  browser ??= await launchChromium(executable ?? "");
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.route("**/*", (route) =>
    route.request().url() === ADDRESS
      ? route.fulfill({
          contentType: "text/html; charset=utf-8",
          headers: { "content-security-policy": contentSecurityPolicy },
          body: html,
        })
      : route.abort(),
  );
  await page.goto(ADDRESS);
  await page.evaluate("document.querySelectorAll('details').forEach((it) => it.open = true)");
  await page.evaluate(axe.source);
  const violations = await page.evaluate(
    "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))",
  );
  expect(violations).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
  // The content security policy allows the page's style.
  expect(await page.evaluate("getComputedStyle(document.body).maxWidth")).toBe("928px");
  expect(complaints).toEqual([]);
  await context.close();
});
