import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { designNames } from "#formats/rendering/designs/list.js";
import { findChromium } from "../../edges/pages/chromium.js";
import { openVisitor, signIn, storePicture } from "../visitor.js";
import { drawn, givenDesigner } from "./given-designer.js";

const executable = findChromium();

describe.skipIf(executable === undefined)("a credential type", () => {
  const { academy, newType } = givenDesigner(executable);
  const open = (page: Page, path: string) => page.goto(`${academy.service.httpUrl}/console${path}`);
  const form = (page: Page) => page.getByRole("group", { name: "Requirements" });
  async function signedIn(role: "designer" | "viewer") {
    const visitor = await openVisitor(academy.browser, academy.service);
    await signIn(visitor, academy.service, { username: `dana.${crypto.randomUUID()}`, roles: [role] });
    return visitor;
  }

  test("opens in the designer from every link, and in the form at an address of its own", async () => {
    const { page, leaveQuietly } = await signedIn("designer");
    const { id, name } = await newType({ paper: "#ffffff", required_grades: { Total: 0.5 } });
    const { id: offer } = await academy.staff.createCredentialConfiguration({
      credentialConfiguration: {
        credentialTypeId: id,
        learningContextKey: "course-v1:HarbourLight+AST101+2025",
      },
    });
    await open(page, `/types/${id}`);
    await drawn(page);
    await page.getByRole("button", { name: "Leave the designer" }).click();
    await form(page).waitFor();
    expect(new URL(page.url()).hash).toBe("#form");
    await page.reload();
    await form(page).waitFor();

    await page.keyboard.press("/");
    await page.getByRole("dialog").getByRole("combobox").fill("Designed"); // a UUID would find a credential
    await page.getByRole("option", { name }).click();
    await drawn(page); // also from the form of the same type

    await open(page, `/configurations/${offer}`);
    await form(page).waitFor(); // beside the schedule and the claims of the offer
    await page.getByRole("heading", { name: "Schedule" }).waitFor();
    await page.getByRole("link", { name, exact: true }).click();
    await drawn(page);
    await page.goBack();
    await page.getByRole("button", { name: "Stop offering it" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Stop offering it" }).click();
    await page.getByText("No course or path offers it yet.").waitFor();
    await open(page, "/types");
    await page.getByRole("link", { name, exact: true }).click();
    await drawn(page);
    await leaveQuietly();

    const viewer = await signedIn("viewer");
    await open(viewer.page, `/types/${id}`);
    await form(viewer.page).waitFor();
    await open(viewer.page, `/types/${id}#design`);
    await drawn(viewer.page);
    await viewer.leaveQuietly();
  });

  test("is created in the designer, after a design is chosen, and is then offered from there", async () => {
    const { page, faults, leaveQuietly } = await signedIn("designer");
    const gallery = page.getByRole("navigation", { name: "Start from a design" });
    await open(page, "/types/new?design=no-such-design");
    await gallery.getByRole("link").first().waitFor();
    await page.waitForURL("**/types/new");
    expect(await gallery.getByRole("link").count()).toBe(designNames.length);
    expect(await form(page).count()).toBe(0);
    await storePicture(page, "new-type");
    await open(page, "/types/new#form");
    await form(page).waitFor();
    await gallery.getByRole("link", { name: /^Classic/ }).click();
    await drawn(page);
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Certificate of Opening");
    expect(await page.getByRole("button", { name: "Offer it in a course or path" }).count()).toBe(0);
    await page.getByRole("button", { name: "Create" }).click();
    await page.waitForURL(/\/types\/\d+$/);
    await drawn(page);
    const offer = page.getByRole("button", { name: "Offer it in a course or path" });
    await offer.waitFor();
    expect(await faults()).toEqual([]);
    await storePicture(page, "created");
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    await storePicture(page, "created-320");
    await offer.click();
    await page.getByRole("dialog").getByRole("combobox", { name: "Course or path" }).waitFor();
    expect(await faults()).toEqual([]);
    await leaveQuietly();
  });
});
