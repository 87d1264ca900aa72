import { EventEmitter, once } from "node:events";
import type { JsonObject } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { designs } from "#formats/rendering/designs/list.js";
import { findChromium } from "../../edges/pages/chromium.js";
import { expectMissing, openVisitor, signIn, storePicture } from "../visitor.js";
import { drawn, givenDesigner, onPage, openForm, save, viewport } from "./given-designer.js";

const executable = findChromium();
const LONGEST =
  "Maria Francisca Isabel Josefa Antónia Gertrudes Rita Joana de Bragança e Bourbon-Duas Sicílias";

describe.skipIf(executable === undefined)("changes in the designer", () => {
  const { academy, newType, optionsOf, openDesigner } = givenDesigner(executable);

  test("the designer warns that the learner’s name was deleted, until the deletion is undone", async () => {
    const { id } = await newType({ paper: "#ffffff" });
    const { page, faults, leaveQuietly } = await openDesigner(id);
    const note = page.getByText("The document doesn’t show the learner’s name.");
    await onPage(page, "text_elements.name").focus();
    expect(await note.count()).toBe(0);
    await page.keyboard.press("Delete");
    await note.waitFor();
    expect(await faults()).toEqual([]);
    await page.keyboard.press("ControlOrMeta+z");
    await note.waitFor({ state: "detached" });
    const press = (keys: { key: string; shiftKey?: boolean; altKey?: boolean }) =>
      page.locator(".workshop").dispatchEvent("keydown", { code: "KeyZ", ctrlKey: true, ...keys });
    await press({ key: "~", shiftKey: true }); // with Shift on an Arabic keyboard
    await note.waitFor();
    await press({ key: "ż", altKey: true }); // types a Polish letter
    expect(await note.count()).toBe(1);
    await press({ key: "я" }); // on a Ukrainian keyboard
    await note.waitFor({ state: "detached" });
    expect(await page.getByRole("button", { name: "Undo" }).isDisabled()).toBe(true);
    await leaveQuietly();
  });

  test("discarding changes is one step, which can be undone", async () => {
    const { id } = await newType({ paper: "#ffffff" });
    const { page, leaveQuietly } = await openDesigner(id);
    const undo = page.getByRole("button", { name: "Undo" });
    await onPage(page, "text_elements.name").focus();
    await page.keyboard.press("Shift+ArrowDown");
    await page.getByRole("status").getByText("Not saved yet").waitFor();
    await page.locator("summary", { hasText: "More" }).first().click();
    await page.getByRole("button", { name: "Discard changes" }).click();
    await page.getByRole("status").getByText("Saved.").waitFor();
    await undo.click();
    await page.getByRole("status").getByText("Not saved yet").waitFor();
    await save(page);
    expect(await optionsOf(id)).toMatchObject({ text_elements: { name: { y: expect.any(Number) } } });
    await leaveQuietly();
  });

  test("what is changed while the design is saved is kept, and can be undone, also when a type is created", async () => {
    const { id } = await newType({ paper: "#ffffff" });
    const visitor = await openDesigner(id);
    const { page } = visitor;
    const undo = page.getByRole("button", { name: "Undo" });
    const unsaved = page.getByRole("status").getByText("Not saved yet");
    /** Saves, and acts while the request is delayed. */
    async function whileSaving(method: string, act: () => Promise<void>) {
      const acting = new EventEmitter();
      const acted = once(acting, "end");
      await page.route(`**/${method}`, async (route) => {
        await acted;
        await route.continue();
      });
      await page.keyboard.press("ControlOrMeta+s");
      await page.getByRole("button", { name: "Working…" }).waitFor();
      await act();
      acting.emit("end");
      await page.getByRole("button", { name: "Save", exact: true }).waitFor();
      await page.unroute(`**/${method}`);
    }
    await onPage(page, "text_elements.name").focus();
    await page.keyboard.press("Shift+ArrowDown");
    await whileSaving("UpdateCredentialType", () => page.keyboard.press("Alt+ArrowRight"));
    await unsaved.waitFor();
    const sent = await optionsOf(id);
    await save(page);
    expect(await optionsOf(id)).not.toEqual(sent);
    await onPage(page, "text_elements.name").focus();
    await page.keyboard.press("Shift+ArrowDown");
    await whileSaving("UpdateCredentialType", () => page.keyboard.press("Alt+ArrowRight"));
    await undo.click();
    await page.getByRole("status").getByText("Saved.").waitFor();

    await page.goto(`${academy.service.httpUrl}/console/types/new?design=classic`);
    await drawn(page);
    await page.getByRole("textbox", { name: "Name" }).fill("Created slowly");
    await onPage(page, "qr").focus();
    await whileSaving("CreateCredentialType", () => page.keyboard.press("Shift+ArrowUp"));
    await page.waitForURL(/types\/\d+/);
    await unsaved.waitFor();
    await visitor.leaveQuietly();
  });

  test("thirty steps can be undone, and redone after a reload", async () => {
    const { id } = await newType(designs.modern as object as JsonObject);
    const { page, leaveQuietly } = await openDesigner(id);
    await onPage(page, "qr").focus();
    for (let step = 0; step < 30; step++) {
      await page.keyboard.press(step % 2 === 0 ? "ArrowUp" : "Alt+ArrowRight"); // each key press is a separate step
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
    await openForm(page); // the form shows the same values
    await page.getByRole("group", { name: "QR code" }).waitFor();
    await page.getByRole("button", { name: "Discard changes" }).click();
    expect(await optionsOf(id)).toEqual(designs.modern);
    await leaveQuietly();
  });

  test("two people who edit a design at the same time both keep their changes", async () => {
    const { id } = await newType(designs.modern as object as JsonObject);
    const [first, second] = [await openDesigner(id), await openDesigner(id)];
    for (const [visitor, path] of [
      [first, "qr"],
      [second, "places.seal"],
    ] as const) {
      await visitor.page.locator(`[data-item="${path}"]`).click();
      await onPage(visitor.page, path).press("Shift+ArrowUp");
    }
    await save(first.page);
    await second.page.getByRole("button", { name: "Save" }).click();
    await second.page.getByRole("button", { name: "Continue with this version" }).click();
    await save(second.page);
    const { qr, places } = (await optionsOf(id)) as { qr: { y: number }; places: { seal: { y: number } } };
    expect([qr.y, places.seal.y]).toEqual([104.34, 84.36]); // ten millimetres above 76 and 56
    await first.leave();
    await second.leave();
  });

  test("people who change the same element clash only on the same property, named and shown as on the screen", async () => {
    const title = { text: "Certificate of {context_name}", x: 400, y: 400, size: 20 };
    const shapes = [{ kind: "line", x: 10, y: 10, width: 100, color: "#112233" }];
    const options = { ...(designs.modern as object), text_elements: { title }, shapes, facts: ["hours"] };
    const { id } = await newType(options);
    const { page, faults, leave } = await openDesigner(id);
    await page.locator('[data-item="text_elements.title"]').click();
    await page.getByLabel("Size (points)").fill("24");
    await page.keyboard.press("Tab");
    await page.getByText("Not saved yet").waitFor();
    await academy.staff.updateCredentialType({
      credentialType: {
        id,
        customOptions: {
          ...options,
          text_elements: { title: { ...title, size: 30, text: "Diploma" } },
          shapes: [{ ...shapes[0], color: "#445566" }],
          facts: ["grade", "hours"],
        } as JsonObject,
      },
    });
    await page.getByRole("button", { name: "Save" }).click();
    const conflict = page.locator(".conflict");
    const row = (name: string) =>
      conflict.getByRole("row").filter({ has: page.getByRole("rowheader", { name }) });
    await row("Title: Size").getByText("30").waitFor();
    await row("Title: Size").getByText("24").waitFor();
    await conflict.locator("summary", { hasText: "Changes that only one of you made (3)" }).click();
    await row("Title: Text").getByText("Diploma").waitFor();
    await row("Line: Colour").getByText("#445566").waitFor();
    await row("Facts").getByText("Total grade, Hours").waitFor();
    expect(await conflict.innerText()).not.toMatch(/["[\]]|text_elements/); // neither JSON nor raw names
    expect(await faults()).toEqual([]);
    await storePicture(page, "conflict");
    await row("Title: Size").getByRole("radio", { name: "Yours" }).check();
    await conflict.getByRole("button", { name: "Continue with this version" }).click();
    await save(page);
    expect(await optionsOf(id)).toMatchObject({
      text_elements: { title: { size: 24, text: "Diploma" } },
      shapes: [{ color: "#445566" }],
      facts: ["grade", "hours"],
    });
    await leave();
  });

  test("fonts are selected by samples, results of the course are available as facts, and signatories without a name are omitted", async () => {
    const { id } = await newType({ ...(designs.modern as object), required_grades: { Total: 0.5 } });
    await academy.staff.createCredentialConfiguration({
      credentialConfiguration: {
        credentialTypeId: id,
        learningContextKey: "course-v1:HarbourLight+AST101+2025",
      },
    });
    const { page, faults, leaveQuietly } = await openDesigner(id);
    await onPage(page, "text_elements.name").focus();
    await page.getByRole("button", { name: "Samples: Font" }).click();
    const fonts = page.getByRole("dialog");
    await fonts.locator('canvas[data-drawn="true"]').first().waitFor();
    expect(await faults()).toEqual([]);
    const sample = fonts.getByRole("button", { name: /^In / }).nth(2);
    const font = (await sample.getAttribute("aria-label"))?.replace("In ", "");
    await sample.click();
    await fonts.waitFor({ state: "detached" });
    expect(await page.getByLabel("Font", { exact: true }).inputValue()).toBe(font);

    await page.getByRole("button", { name: "Placeholder", exact: true }).click();
    const content = page.getByLabel("Content", { exact: true });
    const addContent = page.getByRole("button", { name: "Add: Content" });
    await expectMissing(addContent, content, "Select an option for “Content”.");
    await content.selectOption("Grade in final");
    await addContent.click();
    await onPage(page, "text_elements.text_1").waitFor({ state: "attached" });

    await page.locator(`[data-item="places.signatures"]`).click();
    await page.getByRole("button", { name: "Add: Signatories" }).click();
    await page.getByText("A signatory without a name is left out").waitFor();
    await drawn(page);
    expect(await page.getByRole("alert").count()).toBe(0);
    expect(await faults()).toEqual([]);

    await page.evaluate('document.documentElement.style.fontSize = "200%"');
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    await page.evaluate('document.documentElement.style.fontSize = ""');
    await page.setViewportSize({ width: 320, height: 640 });
    // On a small screen, the page, the elements and their properties are stacked. The selection is kept.
    await page.locator('[data-item="places.signatures"][aria-pressed="true"]').waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    expect(await faults()).toEqual([]);
    await openForm(page);
    await page.getByRole("group", { name: "Signatories", exact: true }).waitFor();
    expect(await faults()).toEqual([]);
    await leaveQuietly();
  });

  test("facts are put in order by keyboard, and screen readers hear the new position", async () => {
    const facts = ["hours", "grade", "credits"];
    const { id } = await newType({ ...(designs.attendance as object), facts, hours: 12, credits: "3 ECTS" });
    const { page, faults, leaveQuietly } = await openDesigner(id);
    await page.locator('[data-item="places.facts"]').click();
    const rows = page.locator(".fact-choice > li:has(:checked)");
    const names = async () => (await rows.allInnerTexts()).map((text) => text.trim());
    await expect.poll(names).toEqual(["Hours", "Total grade", "Credits"]);
    const focused = () => page.evaluate("document.activeElement.ariaLabel");
    await page.getByRole("button", { name: "Move up: Total grade" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(names).toEqual(["Total grade", "Hours", "Credits"]);
    await page.getByRole("status").getByText("Total grade: position 1 of 3").waitFor({ state: "attached" });
    await expect.poll(focused).toBe("Move down: Total grade"); // it can't move further up
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await expect.poll(names).toEqual(["Hours", "Credits", "Total grade"]);
    await expect.poll(focused).toBe("Move up: Total grade");
    const learnerId = page.getByRole("checkbox", { name: "Learner ID" });
    await learnerId.focus();
    await page.keyboard.press("Space");
    await expect.poll(names).toEqual(["Hours", "Credits", "Total grade", "Learner ID"]);
    expect(await learnerId.and(page.locator(":focus")).count()).toBe(1);
    await drawn(page);
    expect(await faults()).toEqual([]);
    await save(page);
    expect((await optionsOf(id))?.facts).toEqual(["hours", "credits", "grade", "learner_id"]);
    await storePicture(page, "facts");
    await leaveQuietly();
  });

  test("the shape of a badge is selected among pictures in the accent colour, in the designer and in the form", async () => {
    const { id } = await newType({ paper: "#ffffff", accent_color: "#A13" });
    const { page, faults, leaveQuietly } = await openDesigner(id);
    const shapes = page.getByRole("group", { name: "Shape of the picture" });
    const pictures = shapes.locator("img");
    const areShown = async () => {
      await pictures.first().scrollIntoViewIfNeeded();
      const widths = () =>
        pictures.evaluateAll((all) => all.map((each) => Reflect.get(each, "naturalWidth")));
      await expect.poll(widths).toEqual([512, 512, 512]);
    };
    expect(await shapes.getByRole("radio", { name: "Not set" }).isChecked()).toBe(true);
    await areShown();
    expect(await pictures.first().getAttribute("src")).toMatch(/badge-picture\/medal-aa1133\.png$/);
    await storePicture(page, "badge-shapes");
    await shapes.getByRole("radio", { name: "Round" }).focus();
    await page.keyboard.press("ArrowDown");
    expect(await shapes.getByRole("radio", { name: "Hexagon" }).isChecked()).toBe(true);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    await save(page);
    expect(await optionsOf(id)).toMatchObject({ open_badge: { shape: "hexagon" } });
    await openForm(page);
    await areShown();
    expect(await shapes.getByRole("radio", { name: "Hexagon" }).isChecked()).toBe(true);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    expect(await faults()).toEqual([]);
    await storePicture(page, "badge-shapes-form");
    await page.setViewportSize(viewport);
    await shapes.getByRole("radio", { name: "Not set" }).check();
    await save(page);
    expect(await optionsOf(id)).toMatchObject({ open_badge: {} });
    await leaveQuietly();
  });

  test("the samples show the longest of 100,000 names, and how it fits, without a click", async () => {
    const learningContextKey = "course-v1:HarbourLight+BIG1+2027";
    const { knex } = academy.service.app.database;
    await knex("courses").insert({
      course_key: learningContextKey,
      display_name: "A big course",
      assignment_types: ["final"],
      weights: [1],
      observed_at: new Date(),
      is_deleted: false,
    });
    await knex.raw(
      `insert into learners (username, email, full_name, is_active, locale, search_words, observed_at, is_deleted)
       select 'many.' || number, '', case number when 77777 then ? else 'Learner Number ' || number end,
         true, '', '', now(), false from generate_series(1, 100000) number`,
      [LONGEST],
    );
    await knex.raw(
      `insert into enrollments (username, learning_context_key, is_active, observed_at, is_deleted)
       select 'many.' || number, ?, true, now(), false from generate_series(1, 100000) number`,
      [learningContextKey],
    );
    const { id: credentialTypeId } = await newType({
      ...(designs.modern as object),
      required_grades: { Total: 0.5 },
    });
    const { id } = await academy.staff.createCredentialConfiguration({
      credentialConfiguration: { credentialTypeId, learningContextKey },
    });
    const visitor = await openVisitor(academy.browser, academy.service, {
      viewport,
    });
    await signIn(visitor, academy.service, { username: "dana.nine", roles: ["designer"] });
    const { page } = visitor;
    await page.goto(`${academy.service.httpUrl}/console/configurations/${id}#design`);
    const first = page.locator(".designer-stress li").first();
    await first.locator('canvas[data-drawn="true"]').waitFor();
    console.info(`the strip is there after ${Math.round(await page.evaluate("performance.now()"))} ms`);
    expect(await first.locator("bdi").innerText()).toBe(LONGEST);
    expect(await first.innerText()).toMatch(/Name: (?:shrunk to \d+%|on lines: \d)/);
    expect(await visitor.clicks()).toBe(0);
    await visitor.leave();
  });
});
