import type { JsonObject } from "@bufbuild/protobuf";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConfigurationService } from "../../gen/learning_credentials/v1/configuration_service_pb.js";
import { designs } from "../../src/rendering/designs/list.js";
import { findChromium, launchChromium } from "../edges/pages/chromium.js";
import { type TestService, tokenOf } from "../support/service.js";
import { openConsoleAcademy } from "./academy.js";
import { openVisitor, signIn, type Visitor } from "./visitor.js";

const executable = findChromium();

describe.skipIf(executable === undefined)("the designer", () => {
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    service = await openConsoleAcademy();
    browser = await launchChromium(executable as string);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  async function staff() {
    return service.client(ConfigurationService, await tokenOf({ username: "registrar", isStaff: true }));
  }
  async function newType(customOptions: JsonObject) {
    const client = await staff();
    const { credentialTypes } = await client.listCredentialTypes({});
    const { retrievalFunc = "", generationFunc = "" } = credentialTypes[0] ?? {};
    const name = `Designed ${crypto.randomUUID()}`;
    return client.createCredentialType({
      credentialType: { name, retrievalFunc, generationFunc, customOptions },
    });
  }
  const optionsOf = async (id: number) => (await (await staff()).getCredentialType({ id })).customOptions;
  async function designer(id: number, chosen: Readonly<Record<string, string>> = {}): Promise<Visitor> {
    const visitor = await openVisitor(browser, service, { chosen, viewport: { width: 1400, height: 900 } });
    await signIn(visitor, service, { username: `dana.${crypto.randomUUID()}`, roles: ["designer"] });
    await visitor.page.goto(`${service.httpUrl}/console/types/${id}#design`);
    await drawn(visitor.page);
    return visitor;
  }
  const drawn = (page: Page) => page.locator('.stage-page canvas[data-drawn="true"]').waitFor();
  const onPage = (page: Page, path: string) => page.locator(`.stage-item[data-path="${path}"]`);
  /** The pixels of a length on the page. */
  const scaleOf = async (page: Page) =>
    ((await page.locator(".stage-page").boundingBox())?.width ?? 0) / 841.89;
  async function save(page: Page) {
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
  }

  test("7: what is moved by pointer, and by keys and numbers, is stored the same; neighbours are snapped to", async () => {
    const options = { paper: "#ffffff", text_elements: { issuer: { text: "{platform_name}", y: 500 } } };
    const [pointed, typed] = [await newType(options), await newType(options)];

    const { page, expectQuiet, faults, leave } = await designer(pointed.id);
    const name = onPage(page, "text_elements.name");
    const before = await name.boundingBox();
    const scale = await scaleOf(page);
    if (!before) throw new Error("the name lies nowhere");
    const [x, y] = [before.x + before.width / 2, before.y + before.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    // Nearly 10 mm lower, and a little beside the middle, to which it snaps.
    await page.mouse.move(x + 2, y + 28.3 * scale, { steps: 4 });
    await page.locator('.stage-guide[data-axis="x"]').waitFor({ state: "attached" });
    await page.mouse.up();
    const baseline = page.getByLabel("Baseline, from top (mm)");
    const typedBaseline = await baseline.inputValue();
    expect(await page.getByLabel("Middle, from left (mm)").inputValue()).toBe("148.5");
    await drawn(page);
    expect(await faults()).toEqual([]);
    await save(page);
    expectQuiet();
    await leave();

    const keys = await designer(typed.id);
    await onPage(keys.page, "text_elements.issuer").focus();
    for (let tries = 0; tries < 20; tries++) {
      if ((await keys.page.locator(":focus").getAttribute("data-path")) === "text_elements.name") break;
      await keys.page.keyboard.press("PageDown");
    }
    await keys.page.keyboard.press("ArrowDown");
    await keys.page.getByRole("status").getByText("Name: 148.5 mm from the left").waitFor();
    await keys.page.keyboard.press("Enter");
    await keys.page.locator(":focus").and(keys.page.getByLabel("Middle, from left (mm)")).waitFor();
    await keys.page.keyboard.press("Tab");
    await keys.page.keyboard.press("ControlOrMeta+a");
    await keys.page.keyboard.type(typedBaseline);
    await keys.page.keyboard.press("Enter");
    await save(keys.page);
    expect(await optionsOf(typed.id)).toEqual(await optionsOf(pointed.id));
    expect(await optionsOf(typed.id)).not.toEqual(options);
    keys.expectQuiet();
    await keys.leave();
  });

  test("12: thirty steps are undone, kept over a reload, and done again", async () => {
    const { id } = await newType(designs.modern as object as JsonObject);
    const { page, expectQuiet, leave } = await designer(id);
    await onPage(page, "qr").focus();
    for (let step = 0; step < 30; step++) {
      await page.keyboard.press(step % 2 === 0 ? "ArrowUp" : "Alt+ArrowRight"); // each another step
    }
    const field = page.getByLabel("From top (mm)");
    const last = await field.inputValue();
    const undo = page.getByRole("button", { name: "Undo" });
    for (let step = 0; step < 30; step++) {
      await onPage(page, "qr").focus();
      await page.keyboard.press("ControlOrMeta+z");
    }
    expect(await undo.isDisabled()).toBe(true);
    await page.reload();
    await drawn(page);
    for (let step = 0; step < 30; step++) await page.getByRole("button", { name: "Redo" }).click();
    expect(await page.getByRole("button", { name: "Redo" }).getAttribute("aria-disabled")).toBe("true");
    await onPage(page, "qr").click();
    expect(await field.inputValue()).toBe(last);
    await page.getByRole("button", { name: "Form" }).click(); // the same in the other views
    await page.getByRole("group", { name: "QR code" }).waitFor();
    await page.getByRole("button", { name: "Discard changes" }).click();
    expect(await optionsOf(id)).toEqual(designs.modern);
    expectQuiet();
    await leave();
  });
});
