import { describe, expect, test } from "vitest";
import { findChromium } from "../edges/pages/chromium.js";
import { givenConsole } from "./given-console.js";
import { openVisitor, seePage, signIn } from "./visitor.js";

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

  async function readBrand() {
    const { brands } = await academy.configurations.listBrands({});
    const brand = brands.find(({ organisation }) => organisation === "");
    if (!brand) throw new Error("the service has no branding");
    return brand;
  }
});
