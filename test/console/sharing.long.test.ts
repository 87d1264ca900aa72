import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { languageTags } from "#foundation/languages/list.js";
import { findChromium } from "../edges/pages/chromium.js";
import { givenDesigners } from "./given-console.js";
import { openVisitor, signIn, storePicture } from "./visitor.js";

const executable = findChromium();

describe.skipIf(executable === undefined)("sharing a sample", () => {
  const academy = givenDesigners(executable);

  async function signedIn(username: string, role: "designer" | "registrar" | "viewer") {
    const visitor = await openVisitor(academy.browser, academy.service);
    await signIn(visitor, academy.service, { username, roles: [role] });
    return visitor;
  }
  const open = (page: Page, path: string) => page.goto(`${academy.service.httpUrl}/console${path}`);
  const sharing = (page: Page) => page.getByRole("button", { name: "Share a sample…" });
  const links = (page: Page) => page.locator(".preview-links li");

  /** Opens a page as someone without an account. */
  async function openAlone(url: string) {
    const visitor = await openVisitor(academy.browser, academy.service);
    const answer = await visitor.page.goto(url);
    return { ...visitor, status: answer?.status() };
  }

  test("a link is created from the form, opened without an account, listed and revoked", async () => {
    const { credentialTypes } = await academy.staff.listCredentialTypes({});
    const { id, name } = credentialTypes[0] as { id: number; name: string };
    const { page, faults, leave } = await signedIn("dana", "designer");
    await open(page, `/types/${id}#form`);
    await sharing(page).press("Enter");
    await page.getByText("There is no preview link yet.").waitFor();
    await page.getByLabel("Link expires after").selectOption({ label: "7 days" });
    const coming = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download sample PDF" }).click();
    expect((await coming).suggestedFilename()).toBe(`${name}.pdf`);
    await page.getByRole("button", { name: "Create preview link" }).press("Enter");
    await links(page).first().waitFor();
    await links(page).getByText("Created by dana").waitFor();
    expect(await faults()).toEqual([]);
    const url = await links(page).locator("code").innerText();

    const visit = await openAlone(url);
    expect(visit.status).toBe(200);
    await visit.page.getByRole("heading", { name: "Preview of a credential" }).waitFor();
    await expect
      .poll(() =>
        visit.page
          .locator("img[src='preview.png']")
          .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
      )
      .toBeGreaterThan(500);
    await visit.page.setViewportSize({ width: 320, height: 640 });
    for (const language of languageTags) {
      await visit.page.goto(`${url}?lang=${language}`);
      expect(await visit.page.locator("html").getAttribute("lang")).toBe(language);
      expect(await visit.page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
      for (const colorScheme of ["light", "dark"] as const) {
        await visit.page.emulateMedia({ colorScheme });
        expect(await visit.faults(), `${language}, ${colorScheme}`).toEqual([]);
        await storePicture(visit.page, `preview-${language}-${colorScheme}`);
      }
    }
    await visit.page.goto(url);
    const saved = visit.page.waitForEvent("download");
    await visit.page.getByRole("link", { name: "Download the PDF" }).click();
    expect((await saved).suggestedFilename()).toBe("preview.pdf");

    await links(page).getByRole("button").last().click();
    await page.getByText("There is no preview link yet.").waitFor();
    expect((await visit.page.goto(url))?.status()).toBe(404);
    await visit.page.getByText("has expired or was revoked").waitFor();
    await visit.leave();
    await page.keyboard.press("Escape");
    await sharing(page).waitFor();
    await leave();
  });

  test("a registrar shares an offer, and the link names its course", async () => {
    const { credentialConfigurations } = await academy.staff.listCredentialConfigurations({});
    const { id, learningContextName } = credentialConfigurations[0] as {
      id: number;
      learningContextName: string;
    };
    const { page, leave } = await signedIn("rita", "registrar");
    await open(page, `/configurations/${id}`);
    await sharing(page).click();
    await page.getByRole("button", { name: "Create preview link" }).click();
    const link = links(page).filter({ hasText: learningContextName });
    const { page: alone, leave: close } = await openAlone(await link.locator("code").innerText());
    expect(await alone.getByRole("heading", { level: 2 }).innerText()).toContain(learningContextName);
    await close();
    await leave();
  });

  test("the designer shares what is not saved yet, and a viewer sees the role that is required", async () => {
    const { credentialTypes } = await academy.staff.listCredentialTypes({});
    const { id } = credentialTypes[0] as { id: number };
    const { page, leaveQuietly } = await signedIn("dora", "designer");
    await open(page, `/types/${id}`);
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Not saved yet, Diploma");
    await page.locator(".workshop-more summary").click();
    await sharing(page).click();
    await page.getByRole("button", { name: "Create preview link" }).click();
    await links(page).getByText("Not saved yet, Diploma").waitFor();
    await leaveQuietly();
    const viewer = await signedIn("vera", "viewer");
    await open(viewer.page, `/types/${id}`);
    await sharing(viewer.page).click();
    await viewer.page.getByRole("button", { name: "Create preview link" }).waitFor();
    expect(await links(viewer.page).count()).toBe(0);
    await viewer.leaveQuietly();
  });
});
