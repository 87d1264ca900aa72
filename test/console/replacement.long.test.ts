import { describe, expect, test } from "vitest";
import { languageTags } from "#foundation/languages/list.js";
import { findChromium } from "../edges/pages/chromium.js";
import { givenConsole } from "./given-console.js";
import { expectMissing, openPage, storePicture, tabTo } from "./visitor.js";

const executable = findChromium();

describe.skipIf(executable === undefined)("linking a replacement", () => {
  const academy = givenConsole(executable, {}, ({ enrol }) => enrol("ana", "ben"));

  async function withdraw(username: string) {
    const issued = await academy.made(username);
    await academy.invalidate(issued.uuid);
    return issued;
  }

  test("a suitable one is chosen, and the page of the withdrawn one leads to it", async () => {
    const others = await academy.made("ben");
    const earlier = await withdraw("ana");
    const old = await withdraw("ana");
    const later = await academy.made("ana");
    const { page, clicks, faults, leaveQuietly } = await openPage(academy, `/credentials/${old.uuid}`);
    await page.getByRole("button", { name: "Link a replacement…" }).click();
    const dialog = page.getByRole("alertdialog");
    // The newest credential comes first. A credential that was itself withdrawn can't be selected.
    const choices = dialog.getByRole("radio");
    await expect.poll(() => choices.count()).toBe(2);
    expect([await choices.nth(0).isDisabled(), await choices.nth(1).isDisabled()]).toEqual([false, true]);
    await dialog.getByText("only a valid or expired credential can replace another").waitFor();
    const confirm = dialog.getByRole("button", { name: "Link as replacement" });
    const field = dialog.getByRole("searchbox");
    await expectMissing(confirm, field, "Select an option for “Which credential replaces it?”.");
    expect(await faults()).toEqual([]);

    // Pasted addresses are checked, too.
    for (const [pasted, why] of [
      [`${academy.service.httpUrl}/verify/${others.verifyUuid}/`, "It belongs to another learner."],
      [old.uuid, "This is the withdrawn credential itself."],
    ]) {
      await field.fill(pasted ?? "");
      await page.keyboard.press("Enter");
      await dialog.getByText(why ?? "").waitFor();
      expect(await faults()).toEqual([]);
    }
    await field.fill(`${academy.service.httpUrl}/verify/${later.verifyUuid}/?lang=fr`);
    await page.keyboard.press("Enter");
    await expect.poll(() => choices.count()).toBe(1);
    await choices.first().check();
    await dialog.getByText("links to the new one").waitFor();
    await dialog.getByText("As an API call").click();
    await dialog.getByText(`"replacementUuid":"${later.uuid}"`).waitFor();
    expect(await faults()).toEqual([]);
    await confirm.click();
    await page.getByRole("link", { name: "Replaced by a new credential" }).waitFor();
    expect(await clicks()).toBeLessThanOrEqual(5);
    expect(await page.getByRole("button", { name: "Link a replacement…" }).count()).toBe(0);
    const answer = await fetch(`${academy.service.httpUrl}/verify/${old.verifyUuid}/`);
    expect(await answer.text()).toContain(`../${later.verifyUuid}/`);

    // After the link was made, the credential replaces another one.
    await page.goto(`${academy.service.httpUrl}/console/credentials/${earlier.uuid}`);
    await page.getByRole("button", { name: "Link a replacement…" }).click();
    await dialog.getByText("It already replaces another credential.").waitFor();
    await leaveQuietly();
  });

  test("by the keyboard alone; if another user was faster, the refusal is shown and nothing is lost", async () => {
    await academy.enrol("cleo");
    const old = await withdraw("cleo");
    const later = await academy.made("cleo");
    const { page, clicks, leave } = await openPage(academy, `/credentials/${old.uuid}`);
    await page.getByRole("button", { name: "Link a replacement…" }).waitFor();
    await tabTo(page, "Link a replacement…");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("alertdialog");
    await dialog.getByRole("radio").first().waitFor();
    await tabTo(page, /Learner cleo/);
    await page.keyboard.press("Space");
    await academy.invalidate(later.uuid);
    await tabTo(page, "Link as replacement");
    await page.keyboard.press("Enter");
    await dialog.getByRole("alert").waitFor();
    expect(await dialog.getByRole("radio").first().isChecked()).toBe(true);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Link a replacement…");
    expect(await clicks()).toBe(0);
    await leave();
  });

  test.each(languageTags)("in %s, axe finds nothing in the dialog, and it fits a phone", async (language) => {
    const username = `learner.${language}`;
    await academy.enrol(username);
    const old = await withdraw(username);
    await withdraw(username);
    await academy.made(username);
    const { page, faults, leaveQuietly } = await openPage(academy, `/credentials/${old.uuid}`, {
      language,
      width: 320,
      theme: "dark",
    });
    await page.locator(".actions .button").last().waitFor();
    await page.locator(".actions .button").nth(-3).click();
    const choices = page.locator(".dialog input[type=radio]");
    await choices.nth(1).waitFor();
    await choices.first().check();
    expect(await faults()).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    await storePicture(page, `replacement-${language}`);
    await leaveQuietly();
  });
});
