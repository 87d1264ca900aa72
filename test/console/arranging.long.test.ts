import type { JsonObject } from "@bufbuild/protobuf";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { designs } from "#formats/rendering/designs/list.js";
import { findChromium } from "../edges/pages/chromium.js";
import { givenDesigners } from "./given-console.js";
import { openVisitor, signIn, storePicture, type Visitor } from "./visitor.js";

const executable = findChromium();
const [TITLE, NAME, TO] = ["text_elements.title", "text_elements.name", "text_elements.to"];

describe.skipIf(executable === undefined)("in the designer", () => {
  const academy = givenDesigners(executable);

  async function newType(customOptions: JsonObject) {
    const { credentialTypes } = await academy.staff.listCredentialTypes({});
    const { retrievalFunc = "", generationFunc = "" } = credentialTypes[0] ?? {};
    const name = `Arranged ${crypto.randomUUID()}`;
    return academy.staff.createCredentialType({
      credentialType: { name, retrievalFunc, generationFunc, customOptions },
    });
  }
  async function designer(id: number): Promise<Visitor> {
    const visitor = await openVisitor(academy.browser, academy.service, {
      viewport: { width: 1400, height: 900 },
    });
    await signIn(visitor, academy.service, { username: `dana.${crypto.randomUUID()}`, roles: ["designer"] });
    await visitor.page.goto(`${academy.service.httpUrl}/console/types/${id}#design`);
    await drawn(visitor.page);
    return visitor;
  }
  const drawn = (page: Page) => page.locator('.stage-page canvas[data-drawn="true"]').waitFor();
  const onPage = (page: Page, path: string | undefined) => page.locator(`.stage-item[data-path="${path}"]`);
  const chosen = (page: Page) =>
    page
      .locator('.stage-item[aria-pressed="true"]')
      .evaluateAll((all) =>
        all.map((each) => (each as unknown as { dataset: { path: string } }).dataset.path).sort(),
      );
  const said = (page: Page, text: string) =>
    page.locator(".designer > [role=status]").getByText(text).waitFor();
  async function optionsAfterSaving(page: Page, id: number): Promise<Saved> {
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    return (await academy.staff.getCredentialType({ id })).customOptions as unknown as Saved;
  }
  /** Draws a selection frame around elements with the pointer. */
  async function frame(page: Page, first: string, last: string) {
    const [from, to] = [await onPage(page, first).boundingBox(), await onPage(page, last).boundingBox()];
    if (!from || !to) throw new Error("They lie nowhere.");
    await page.mouse.move(Math.min(from.x, to.x) - 5, from.y - 3);
    await page.mouse.down();
    await page.mouse.move(Math.max(from.x + from.width, to.x + to.width) + 5, to.y + to.height + 3, {
      steps: 4,
    });
    await page.locator(".stage-marquee").waitFor();
    await page.mouse.up();
  }
  const inMenu = (page: Page, name: string) => page.getByRole("menuitem", { name, exact: true });

  test("dragging a frame selects the elements in it; they are grouped, locked, hidden and shown by pointer, each in one step", async () => {
    const { id } = await newType(designs.diploma as object as JsonObject);
    const { page, faults, leaveQuietly } = await designer(id);
    await frame(page, TITLE, NAME);
    const framed = await chosen(page);
    expect(framed).toHaveLength(3);
    expect(framed).toEqual(expect.arrayContaining([TITLE, NAME]));

    await onPage(page, NAME).click({ button: "right" });
    await inMenu(page, "Group").waitFor();
    expect(await faults()).toEqual([]);
    await storePicture(page, "designer-menu");
    await inMenu(page, "Group").click();
    await said(page, "Group: Title");
    await onPage(page, "text_elements.date").click();
    await onPage(page, NAME).click();
    expect(await chosen(page)).toEqual(framed); // clicking one element selects its group
    const group = page.getByRole("button", { name: /^Group: .*Name/ });
    expect(await group.first().innerText()).toContain("(3)");
    expect(await onPage(page, NAME).getAttribute("aria-label")).toBe("Name (in a group)");

    await onPage(page, NAME).click({ button: "right" });
    await inMenu(page, "Lock").click();
    await said(page, "Lock: Title");
    const before = await onPage(page, NAME).boundingBox();
    if (!before) throw new Error("It lies nowhere.");
    await page.mouse.move(before.x + 5, before.y + 5);
    await page.mouse.down();
    await page.mouse.move(before.x + 80, before.y + 60, { steps: 4 });
    await page.mouse.up();
    await onPage(page, NAME).press("Delete");
    await said(page, "is locked");
    await onPage(page, NAME).press("F2");
    expect(await page.locator(".stage-typing").count()).toBe(0);
    expect(await onPage(page, NAME).boundingBox()).toEqual(before);
    await page.getByText("Locked: it can’t be changed").waitFor();
    expect(await faults()).toEqual([]);

    await page.getByRole("button", { name: "Unlock", exact: true }).click();
    await page.getByRole("button", { name: "Hide: Date" }).click();
    await onPage(page, "text_elements.date").waitFor({ state: "detached" });
    await drawn(page);
    const hidden = await optionsAfterSaving(page, id);
    expect(hidden.text_elements.date?.hidden).toBe(true);
    expect(hidden.text_elements.name?.group).toBe(hidden.text_elements.title?.group);
    const { layout } = await academy.staff.previewCredential({
      source: { case: "credentialType", value: await academy.staff.getCredentialType({ id }) },
      layoutOnly: true,
    });
    expect(layout?.elements.find(({ option }) => option === "text_elements.date")?.text?.words).toBe("");

    await page.locator('[data-item="text_elements.date"]').click();
    await page.getByText("Hidden: it isn’t printed.").waitFor();
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await onPage(page, "text_elements.date").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await onPage(page, "text_elements.date").waitFor({ state: "detached" });
    await leaveQuietly();
  });

  test("the same is done by keys alone, and undone", async () => {
    const { id } = await newType(designs.diploma as object as JsonObject);
    const { page, faults, leaveQuietly } = await designer(id);
    const options = (await academy.staff.getCredentialType({ id })).customOptions;
    await onPage(page, TITLE).click();
    await page.keyboard.press("Shift+PageDown");
    const two = await chosen(page);
    expect(two).toHaveLength(2);
    await page.keyboard.press("Control+g");
    await said(page, "Group: ");
    await page.keyboard.press("Control+Shift+L");
    await said(page, "Lock: ");
    await page.keyboard.press("ArrowDown");
    await said(page, "is locked");
    await page.keyboard.press("Control+Shift+L");
    await said(page, "Unlock: ");
    await page.keyboard.press("Shift+F10");
    await inMenu(page, "Ungroup").waitFor();
    expect(await faults()).toEqual([]);
    await page.keyboard.type("ung");
    await page.keyboard.press("Enter");
    await said(page, "Ungroup: ");
    await page.locator(".stage-item:focus").waitFor();

    await page.keyboard.press("Control+c");
    await said(page, "Copy: ");
    await page.keyboard.press("Control+v");
    await said(page, "Paste: 2 elements");
    await onPage(page, "text_elements.text_2").waitFor();
    await page.locator(".stage-item:focus, body:focus").first().waitFor();
    await onPage(page, "text_elements.text_1").focus();
    await page.keyboard.press("Control+d");
    await onPage(page, "text_elements.text_4").waitFor();
    await page.keyboard.press("Control+a");
    expect((await chosen(page)).length).toBeGreaterThan(10);
    await onPage(page, "text_elements.text_1").focus();
    await page.keyboard.press("Escape");
    await onPage(page, "text_elements.text_1").focus();
    await page.keyboard.press("Control+Shift+H");
    await onPage(page, "text_elements.text_1").waitFor({ state: "detached" });
    const undo = page.getByRole("button", { name: "Undo" });
    while ((await undo.getAttribute("aria-disabled")) !== "true") await undo.click();
    await page.getByText("Saved.").waitFor();
    expect((await academy.staff.getCredentialType({ id })).customOptions).toEqual(options);
    await onPage(page, "text_elements.text_1").waitFor({ state: "detached" });
    await leaveQuietly();
  });

  test("“?” lists the keys of the designer beside those of every page", async () => {
    const { id } = await newType(designs.diploma as object as JsonObject);
    const { page, faults, leaveQuietly } = await designer(id);
    await page.locator(".stage-item").first().focus();
    await page.keyboard.press("?");
    const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await dialog.getByText("F2 or a double click edits a text.").waitFor(); // this part of the dialog is loaded late
    const keys = dialog.locator("dl").last();
    const lines = (await keys.innerText()).replaceAll(/\s*\n\s*/g, " ");
    for (const line of [
      "Ctrl+C Copy",
      "Ctrl+Shift+L Lock / Unlock",
      "Ctrl+] Bring forward",
      "Ctrl+Shift+Z Redo",
      "Ctrl+S Save",
    ])
      expect(lines).toContain(line);
    expect(await faults()).toEqual([]);
    await storePicture(page, "designer-keys");
    await leaveQuietly();
  });

  test("only items that aren't locked are ordered, dragged and announced; the locked ones stay selected", async () => {
    const shapes = ["line", "rectangle", "ellipse"].map((kind, at) => ({
      kind,
      x: 100,
      y: 100 + at * 60,
      width: 90,
      height: 40,
      ...(kind === "line" && { locked: true }),
    }));
    const { id } = await newType({ paper: "#ffffff", shapes });
    const { page, leaveQuietly } = await designer(id);
    const announced = () => page.locator(".designer > [role=status]").innerText();
    await onPage(page, "shapes.2").click();
    await page.locator('[data-item="shapes.0"]').click({ modifiers: ["Shift"] });
    await onPage(page, "shapes.2").focus();
    expect(await chosen(page)).toEqual(["shapes.0", "shapes.2"]);
    await page.keyboard.press("Control+Shift+BracketLeft");
    await said(page, "Send to back: ");
    expect(await announced()).toBe("Send to back: Ellipse");
    expect(await chosen(page)).toEqual(["shapes.0", "shapes.1"]);
    await drawn(page);
    const from = await onPage(page, "shapes.0").boundingBox();
    if (!from) throw new Error("It lies nowhere.");
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(from.x + from.width / 2 + 40, from.y + from.height / 2 + 30, { steps: 4 });
    await page.mouse.up();
    await said(page, "mm from the left");
    expect(await announced()).toMatch(/^Ellipse: /);
    await leaveQuietly();
  });

  test("only elements that can be pasted are cut", async () => {
    const { id } = await newType(designs.diploma as object as JsonObject);
    const { page } = await designer(id);
    await onPage(page, TITLE).click();
    await page.locator('[data-item="qr"]').click({ modifiers: ["Shift"] });
    expect(await chosen(page)).toEqual(["qr", TITLE]);
    await onPage(page, TITLE).focus();
    await page.keyboard.press("Control+x");
    await onPage(page, TITLE).waitFor({ state: "detached" });
    await said(page, "Can’t be cut: QR code");
    expect(await onPage(page, "qr").count()).toBe(1);
    await page.keyboard.press("Control+v");
    await said(page, "Paste: 1 element");
    const saved = await optionsAfterSaving(page, id);
    expect(saved.qr).toMatchObject({ size: 56 });
    expect(saved.text_elements.text_1).toMatchObject({ text: "{title}" });
  });

  test("shapes are ordered, elements are pasted into another design, and a text joins a block", async () => {
    const shapes = ["line", "rectangle", "ellipse"].map((kind, at) => ({
      kind,
      x: 100 + at * 20,
      y: 100,
      width: 90,
      height: 40,
    }));
    const { id } = await newType({ paper: "#ffffff", shapes: shapes.slice(0, 2) });
    const { page, faults, leaveQuietly } = await designer(id);
    await page.locator('[data-item="shapes.0"]').click({ button: "right" });
    await inMenu(page, "Bring to front").click();
    await said(page, "Bring to front: Line");
    expect(await chosen(page)).toEqual(["shapes.1"]);
    await onPage(page, "shapes.1").focus();
    await page.keyboard.press("Control+[");
    await said(page, "Send backward: Line");
    await page.keyboard.press("Control+]");
    await said(page, "Bring forward: Line");
    expect((await optionsAfterSaving(page, id)).shapes.map(({ kind }) => kind)).toEqual([
      "rectangle",
      "line",
    ]);
    await onPage(page, "shapes.1").focus();
    await page.keyboard.press("Control+c");

    const other = await newType(designs.diploma as object as JsonObject);
    await page.goto(`${academy.service.httpUrl}/console/types/${other.id}#design`);
    await drawn(page);
    await onPage(page, TO).or(onPage(page, NAME)).first().focus();
    await page.keyboard.press("Control+v");
    await said(page, "Paste: 1 element");
    // A new text is placed below the selection, in the same block. It can leave the block and join it again.
    await onPage(page, NAME).click();
    await page.getByRole("toolbar").getByRole("button", { name: "Text", exact: true }).click();
    await page.locator(':focus[data-path="text_elements.text_1"]').waitFor();
    await drawn(page);
    const tops = async () => {
      const boxes = await Promise.all(
        [NAME, "text_elements.text_1", "text_elements.context"].map((path) =>
          onPage(page, path).boundingBox(),
        ),
      );
      return boxes.map((box) => box?.y ?? Number.NaN);
    };
    const inOrder = async () => {
      const [one = 0, two = 0, three = 0] = await tops();
      return one < two && two < three;
    };
    expect(await inOrder()).toBe(true);
    await page.getByRole("button", { name: "Detach from block" }).click();
    await drawn(page);
    await page.getByLabel("Join a block", { exact: true }).selectOption({ index: 1 });
    await page.getByRole("button", { name: "Add: Join a block" }).click();
    await said(page, "Join a block: “New text”");
    await drawn(page);
    expect(await inOrder()).toBe(true);
    expect(await faults()).toEqual([]);
    const saved = await optionsAfterSaving(page, other.id);
    expect(saved.text_elements.text_1?.block).toBe(saved.text_elements.name?.block);
    expect(saved.shapes.at(-1)?.kind).toBe("line");
    await leaveQuietly();
  });
});

interface Saved {
  readonly text_elements: Readonly<Record<string, { hidden?: boolean; group?: string; block?: string }>>;
  readonly qr: unknown;
  readonly shapes: readonly { readonly kind: string }[];
}
