import { EventEmitter, once } from "node:events";
import { createCanvas } from "@napi-rs/canvas";
import { describe, expect, test } from "vitest";
import { assetParts } from "../assets/asset-parts.js";
import { findChromium } from "../edges/pages/chromium.js";
import { givenConsole } from "./given-console.js";
import { openVisitor, seePage, signIn, storePicture } from "./visitor.js";

const executable = findChromium();

describe.skipIf(executable === undefined)("branding in the console", () => {
  const academy = givenConsole(executable, {}, async ({ configurations }) => {
    await configurations.updateBrand({ brand: { name: "Uni Nord" } });
  });

  test("a save that the service refuses keeps the input and the error, and can be repeated", async () => {
    const visitor = await openVisitor(academy.browser, academy.service);
    const { page } = visitor;
    await signIn(visitor, academy.service, { username: "dana", roles: ["designer"] });
    await page.goto(`${academy.service.httpUrl}/console/types/branding`);
    await seePage(page);
    const name = page.getByLabel("Name", { exact: true });
    const subject = page.getByLabel("Subject");
    const save = page.getByRole("button", { name: "Save" });
    const [saveBrand, saveTexts] = [save.first(), save.nth(1)];
    const alert = page.getByRole("alert").filter({ hasText: "changed" });

    await name.fill("Uni Süd");
    await subject.fill("Your certificate");
    const brand = await readBrand();
    await academy.configurations.updateBrand({ brand: { ...brand, contact: "help@uni.example" } });
    await saveBrand.click();
    await alert.waitFor();
    await expect.poll(() => page.getByLabel("Contact").inputValue()).toBe("help@uni.example");
    expect(await alert.count()).toBe(1);
    expect(await name.inputValue()).toBe("Uni Süd");
    expect(await subject.inputValue()).toBe("Your certificate");

    await saveBrand.click();
    await page.getByText("Saved").first().waitFor();
    expect(await alert.count()).toBe(0);
    expect(await readBrand()).toMatchObject({ name: "Uni Süd", contact: "help@uni.example" });
    expect(await subject.inputValue()).toBe("Your certificate");
    await saveTexts.click();
    await expect.poll(() => saveTexts.isDisabled()).toBe(true);
    expect(await subject.inputValue()).toBe("Your certificate");
    await visitor.leave();
  });

  test("what isn't saved is kept when the page is left, and can be discarded", async () => {
    const visitor = await openVisitor(academy.browser, academy.service);
    const { page } = visitor;
    await signIn(visitor, academy.service, { username: "dana", roles: ["designer"] });
    await page.goto(`${academy.service.httpUrl}/console/types/branding`);
    await seePage(page);
    const [name, subject] = [page.getByLabel("Name", { exact: true }), page.getByLabel("Subject")];
    const discard = page.getByRole("button", { name: "Discard changes" });
    const before = await name.inputValue();
    await name.fill("Unsaved name");
    await subject.fill("Unsaved subject");
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await page.goBack();
    await expect.poll(() => name.inputValue()).toBe("Unsaved name");
    await page.reload();
    await expect.poll(() => subject.inputValue()).toBe("Unsaved subject");

    await discard.first().click();
    expect(await name.inputValue()).toBe(before);
    await discard.click();
    expect(await subject.inputValue()).not.toBe("Unsaved subject");
    expect(await discard.count()).toBe(0);
    await visitor.leaveQuietly();
  });

  test("what is typed while saving is kept", async () => {
    const visitor = await openVisitor(academy.browser, academy.service);
    const { page } = visitor;
    await signIn(visitor, academy.service, { username: "dana", roles: ["designer"] });
    await page.goto(`${academy.service.httpUrl}/console/types/branding`);
    await seePage(page);
    const save = page.getByRole("button", { name: "Save" });
    for (const { method, form, sent, typed } of [
      { method: "UpdateBrand", form: 0, sent: "Name", typed: "Contact" },
      { method: "UpdateEmailTexts", form: 1, sent: "Subject", typed: "Heading" },
    ]) {
      const button = save.nth(form);
      const typing = new EventEmitter();
      const hasTyped = once(typing, "end");
      await page.route(`**/${method}`, async (route) => {
        await hasTyped;
        await route.continue();
      });
      await page.getByLabel(sent, { exact: true }).fill("sent@uni.example");
      await button.click();
      await expect.poll(() => button.isDisabled()).toBe(true);
      await page.getByLabel(typed, { exact: true }).fill("typed@uni.example");
      typing.emit("end");
      await expect.poll(() => button.isEnabled()).toBe(true);
      expect(await page.getByLabel(sent, { exact: true }).inputValue()).toBe("sent@uni.example");
      expect(await page.getByLabel(typed, { exact: true }).inputValue()).toBe("typed@uni.example");
    }
    expect(await readBrand()).toMatchObject({ name: "sent@uni.example" });
    await visitor.leaveQuietly();
  });

  test("the verification page is previewed with the brand before it is saved, and Branding is the current page", async () => {
    const credential = await academy.issued("ana");
    const visitor = await openVisitor(academy.browser, academy.service);
    const { page, faults } = visitor;
    await signIn(visitor, academy.service, { username: "dana", roles: ["designer"] });
    await page.getByRole("link", { name: "Branding" }).click();
    await seePage(page);
    const pages = page.getByRole("navigation", { name: "Pages" });
    await expect.poll(() => pages.locator("[aria-current=page]").allInnerTexts()).toEqual(["Branding"]);
    const preview = page.frameLocator('iframe[title="Verification page"]');
    await preview.getByText(credential.verifyUuid, { exact: true }).waitFor();
    await page.getByLabel("Name", { exact: true }).fill("Uni <b>West</b>");
    await page.getByLabel("Colour of links and buttons").fill("#8a1538");
    await preview.locator("header").getByText("Uni <b>West</b>").waitFor();
    const source = () => page.locator('iframe[title="Verification page"]').getAttribute("srcdoc");
    await expect.poll(source).toContain("--accent: #8a1538");
    const picture = createCanvas(8, 8).toBuffer("image/png");
    await academy.configurations.uploadAsset(assetParts("arms", picture));
    await page.reload();
    await page.locator('[data-field="brand.logo"]').click();
    await page.getByRole("dialog").getByRole("button", { name: "arms" }).click();
    await preview.locator("header img.logo").waitFor();
    expect(await faults()).toEqual([]);
    expect((await readBrand()).logo).toBe("");
    await storePicture(page, "verification-preview");
    // The sandbox reports that it blocked Playwright's own script.
    expect(visitor.noise.filter((line) => !line.includes("allow-scripts"))).toEqual([]);
    await visitor.leave();
  });

  async function readBrand() {
    const { brands } = await academy.configurations.listBrands({});
    const brand = brands.find(({ organisation }) => organisation === "");
    if (!brand) throw new Error("the service has no branding");
    return brand;
  }
});
