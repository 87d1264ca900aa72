import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { languageTags } from "#foundation/languages/list.js";
import { WebhookService } from "#gen/learning_credentials/v1/webhook_service_pb.js";
import { findChromium } from "../edges/pages/chromium.js";
import { tokenOf } from "../support/service.js";
import { type Receiver, startReceiver } from "../webhooks/receiver.js";
import { givenDesigners } from "./given-console.js";
import { openVisitor, signIn } from "./visitor.js";

const executable = findChromium();
if (executable === undefined) console.warn("skipped: there is no Chromium");
const NARROW = { width: 320, height: 640 };

describe.skipIf(executable === undefined)("webhooks in the console", () => {
  const academy = givenDesigners(executable);
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver?.close());

  async function signedIn(role: "admin" | "registrar", options: Parameters<typeof openVisitor>[2] = {}) {
    const visitor = await openVisitor(academy.browser, academy.service, {
      reducedMotion: "reduce",
      ...options,
    });
    const username = `${role}.${crypto.randomUUID()}`;
    await signIn(visitor, academy.service, { username, roles: [role] });
    return visitor;
  }

  test("an admin adds one by keyboard, tests, replays, rotates and deletes it", async () => {
    const visitor = await signedIn("admin");
    const { page } = visitor;
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    async function press(name: string) {
      await button(name).focus();
      await page.keyboard.press("Enter");
    }
    await page.getByRole("link", { name: "Webhooks" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("No webhooks yet").waitFor();

    await press("Add an endpoint…");
    await page.getByLabel("Address (https)").focus();
    await page.keyboard.type("https://127.0.0.1:22/");
    await press("Add");
    await page.getByRole("alert").getByText("has port 22").waitFor();
    await page.getByLabel("Address (https)").fill(receiver.url);
    await page.getByLabel("Description (optional)").fill("The platform");
    await page.getByLabel("Withdrawn", { exact: true }).focus();
    await page.keyboard.press("Space");
    await page.getByText("As a command", { exact: true }).click();
    await page
      .getByText(`webhooks create ${receiver.url} --event invalidated --description 'The platform'`)
      .waitFor();
    await press("Add");
    const secret = (await page.getByText(/^whsec_/).textContent()) ?? "";
    expect(page.url()).not.toContain("whsec_");
    await press("Close");
    await page.getByRole("link", { name: "The platform" }).click();
    await page.getByRole("heading", { level: 1, name: "The platform" }).waitFor();
    expect(await page.content()).not.toContain(secret);

    await press("Send a test");
    await page.getByText("The test was accepted.").waitFor();
    await page.getByRole("cell", { name: "Test", exact: true }).first().waitFor();
    const [tried] = receiver.received;
    const parsed = new Webhook(secret).verify(tried?.body ?? "", { ...tried?.headers });
    expect(parsed).toMatchObject({ type: "webhook.test" });

    await press("Pause");
    await page.locator(".status", { hasText: "Paused" }).waitFor();
    await press("Enable");
    await page.locator(".status", { hasText: "Enabled" }).waitFor();

    await press("Replay…");
    await page.getByLabel("Position", { exact: true }).fill("99999999");
    await press("Replay");
    await page.getByRole("alert").getByText("the last event has position").waitFor();
    await page.getByLabel("Position", { exact: true }).fill("0");
    await press("Replay");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect
      .poll(
        () => receiver.received.filter(({ parsed: { type } }) => type === "credential.invalidated").length,
      )
      .toBeGreaterThan(0);
    await page.getByRole("cell", { name: "Accepted", exact: true }).nth(1).waitFor();

    await press("New secret…");
    await page.getByLabel("Hours with both secrets (0 to 720)").fill("0");
    await press("Create a new secret");
    const second = (await page.getByText(/^whsec_/).textContent()) ?? "";
    expect(second).not.toBe(secret);
    await press("Close");
    const before = receiver.received.length;
    await press("Send a test");
    await expect.poll(() => receiver.received.length).toBeGreaterThan(before);
    const last = receiver.received.at(-1);
    expect(() => new Webhook(second).verify(last?.body ?? "", { ...last?.headers })).not.toThrow();
    expect(() => new Webhook(secret).verify(last?.body ?? "", { ...last?.headers })).toThrow();

    await page.getByLabel("Only failures").check();
    await page.getByText("No deliveries yet.").waitFor();
    expect(page.url()).toContain("failures=yes");

    await press("Delete…");
    await press("Delete the endpoint");
    await page.getByText("No webhooks yet").waitFor();
    expect(new URL(page.url()).pathname).toBe("/console/webhooks");
    await visitor.leave();
  });

  test("other roles see no way to it, and see which role it needs", async () => {
    const visitor = await signedIn("registrar");
    const { page } = visitor;
    expect(await page.getByRole("link", { name: "Webhooks" }).count()).toBe(0);
    await page.goto(`${academy.service.httpUrl}/console/webhooks`);
    await page.getByRole("alert").getByText("This requires the role admin.").waitFor();
    const add = page.getByRole("button", { name: "Add an endpoint…" });
    expect(await add.isDisabled()).toBe(true);
    await visitor.leave();
  });

  test.each(languageTags)("axe finds nothing, and nothing scrolls sideways, in %s", async (language) => {
    const webhooks = academy.service.client(
      WebhookService,
      await tokenOf({ username: `lms.${language}`, service: "write" }),
    );
    const made = await webhooks.createWebhookEndpoint({ webhookEndpoint: { url: receiver.url } });
    const id = made.webhookEndpoint?.id ?? "";
    await webhooks.sendTestWebhook({ id });
    const theme = languageTags.indexOf(language) % 2 === 0 ? "light" : "dark";
    const visitor = await signedIn("admin", { chosen: { language, theme }, viewport: NARROW });
    const { page } = visitor;
    const found: Record<string, unknown> = {};
    const look = async (what: string) => {
      const faults = await visitor.faults();
      if (faults.length > 0) found[what] = faults;
      const width = await page.evaluate<number>("document.documentElement.scrollWidth");
      if (width > NARROW.width) found[`width of ${what}`] = width;
    };
    await page.goto(`${academy.service.httpUrl}/console/webhooks`);
    await page.locator("main table").waitFor();
    await look("the list");
    await page.locator(".page-head .button").click();
    await page.locator(".dialog").waitFor();
    await look("adding");
    await page.goto(`${academy.service.httpUrl}/console/webhooks/${id}`);
    await page.locator("main table").waitFor();
    await look("the endpoint");
    for (const index of [2, 3, 4]) {
      await page.locator("main .actions button").nth(index).click();
      await page.locator(".dialog").waitFor();
      await look(`dialog ${index}`);
      await page.keyboard.press("Escape");
      await page.locator(".dialog").waitFor({ state: "detached" });
    }
    expect(found).toEqual({});
    await visitor.leaveQuietly();
    await webhooks.deleteWebhookEndpoint({ id });
  });
});
