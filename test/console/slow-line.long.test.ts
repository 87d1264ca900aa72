import { beforeAll, describe, expect, test } from "vitest";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { findChromium } from "../edges/pages/chromium.js";
import { tokenOf } from "../support/service.js";
import { givenDesigners } from "./given-console.js";
import { openVisitor, signIn, storePicture } from "./visitor.js";

const executable = findChromium();

/** The speed of a line with 480 kbit/s. */
const BYTES_PER_S = 480_000 / 8;
const ROUND_TRIP_S = 0.1;
/** Round trips before the first request. They are needed to look up the name and to open a connection with TLS. */
const OPENING_ROUND_TRIPS = 3;
/** Bytes that a server may send before the first acknowledgement (RFC 6928). The limit doubles with each round trip. */
const INITIAL_WINDOW = 14_600;
const LIMIT_S = 3;

describe.skipIf(executable === undefined)("on a slow line", () => {
  const academy = givenDesigners(executable);
  let verifyUuid: string;
  let username: string;
  let type: number;

  beforeAll(async () => {
    const token = await tokenOf({ username: "rita", isStaff: true });
    const { credentials } = await academy.service
      .client(CredentialService, token)
      .listCredentials({ status: CredentialStatus.AVAILABLE, pageSize: 1 });
    verifyUuid = credentials[0]?.verifyUuid ?? "";
    username = credentials[0]?.username ?? "";
    type = (await academy.staff.listCredentialTypes({})).credentialTypes[0]?.id ?? 0;
  });

  // The time is computed from bytes and round trips. A measurement would include the delays of a busy machine.
  test.each<[page: string, path: () => string, words: string]>([
    ["the start page of the console", () => "/console/", "Harbour Light Academy"],
    ["the designer", () => `/console/types/${type}#design`, "Harbour Light Academy"],
    ["the verification page", () => `/verify/${verifyUuid}/`, "Certificate"],
    ["a learner’s own page", () => "/my-credentials/", "Certificate"],
  ])("%s shows its first words within three seconds", async (_, path, words) => {
    const visitor = await openVisitor(academy.browser, academy.service);
    const { page } = visitor;
    if (path().startsWith("/console/")) await signIn(visitor, academy.service, { roles: ["designer"] });
    else await page.setExtraHTTPHeaders({ authorization: `Bearer ${await tokenOf({ username })}` });

    await page.goto("about:blank");
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Network.enable");
    await cdp.send("Network.setCacheDisabled", { cacheDisabled: true });
    const sizes: number[] = [];
    cdp.on("Network.loadingFinished", ({ encodedDataLength }) => sizes.push(encodedDataLength));
    // Scripts and pictures never arrive, so only what the first words need is counted.
    await page.route("**/*", (route) => {
      const needed = ["document", "stylesheet"].includes(route.request().resourceType());
      return needed ? route.continue() : undefined;
    });
    await page.goto(`${academy.service.httpUrl}${path()}`, { waitUntil: "commit" });
    await page.getByText(words).first().waitFor();
    await page.waitForFunction("performance.getEntriesByName('first-contentful-paint').length > 0");

    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    const roundTrips =
      OPENING_ROUND_TRIPS + sizes.length + Math.ceil(Math.log2(bytes / INITIAL_WINDOW + 1)) - 1;
    const seconds = bytes / BYTES_PER_S + roundTrips * ROUND_TRIP_S;
    console.info(`${path()}: ${bytes} bytes, ${roundTrips} round trips, ${seconds.toFixed(2)} s`);
    expect(sizes.length).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(LIMIT_S);
    await visitor.leave();
  });

  test("a change of page shows and announces that it is loading, and shifts nothing", async () => {
    const visitor = await openVisitor(academy.browser, academy.service);
    await signIn(visitor, academy.service, { roles: ["registrar"] });
    const { page } = visitor;
    const line = page.locator(".page-progress");
    const announced = page.getByRole("status").getByText("Loading…");
    const isActive = () => line.getAttribute("data-active");
    await expect.poll(isActive).toBe("false");
    await page.evaluate(`self.shift = 0;
      new PerformanceObserver((list) => {
        for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) self.shift += value;
      }).observe({ type: "layout-shift" });`);
    const release: (() => void)[] = [];
    await page.route("**/console/rpc/**", async (route) => {
      await new Promise<void>((resolve) => release.push(resolve));
      await route.continue();
    });
    const releaseAll = async () => {
      for (const resume of release.splice(0)) resume();
      return isActive();
    };
    for (const [link, placeholder, loaded] of [
      ["nav a[href$='/learners']", ".table-frame:empty", "tbody .row-link"],
      ["tbody .row-link", ".page:empty", ".page .crumbs"],
    ] as const) {
      await page.locator(link).first().click();
      await page.locator(placeholder).waitFor();
      await expect.poll(isActive).toBe("true");
      await announced.waitFor({ state: "attached" });
      // A page that is named after its data has no heading until then.
      if (link !== "tbody .row-link") expect(await visitor.faults()).toEqual([]);
      await storePicture(page, `loading${placeholder}`);
      await expect.poll(releaseAll).toBe("false");
      await page.locator(loaded).first().waitFor();
      await announced.waitFor({ state: "detached" });
    }
    expect(await page.evaluate("self.shift")).toBeLessThan(0.1);
    await visitor.leaveQuietly();
  });
});
