import type { Locator, Page } from "playwright-core";
import { onPage, scaleOf } from "./given-designer.js";

/** The same steps with a pointer, and with the keyboard alone. Names are typed in both cases. */
interface Hand {
  press(name: string): Promise<void>;
  choose(label: string, choice: string): Promise<void>;
  /** @param inside the name of the group that contains the field */
  type(label: string, text: string, inside?: string): Promise<void>;
  append(label: string, text: string): Promise<void>;
  select(path: string): Promise<void>;
  /** Moves an element by millimetres, or to the position at which the pointer dropped it before. */
  move(path: string, x: number, y: number): Promise<void>;
  /** Moves a text that was added in the middle to this number of millimetres below the middle of the page. */
  place(path: string, down: number): Promise<void>;
  upload(label: string, file: string): Promise<void>;
}

/** Returns a `Hand` that counts its steps, and a function that returns the count. */
export function counted(hand: Hand): { hand: Hand; steps: () => number } {
  let steps = 0;
  const get = (target: Hand, name: keyof Hand) => {
    steps++;
    return target[name].bind(target);
  };
  return {
    hand: new Proxy(hand, { get: (target, name) => get(target, name as keyof Hand) }),
    steps: () => steps,
  };
}

/** Counts key presses and clicks from now on. Typing a text is one key press. */
export async function countPresses(page: Page): Promise<() => Promise<string>> {
  await page.evaluate(`for (const kind of ["pointerdown", "keydown"])
    addEventListener(kind, () => { window[kind + "s"] = (window[kind + "s"] ?? 0) + 1; }, true)`);
  return async () => {
    const [pointer, keys] = await page.evaluate<number[]>("[window.pointerdowns ?? 0, window.keydowns ?? 0]");
    return `${pointer} presses of the pointer, ${keys} of keys`;
  };
}

const fileOf = (page: Page, label: string) =>
  page.locator("input[type=file]").and(page.getByLabel(label, { exact: true }));
const within = (page: Page, inside: string | undefined) =>
  inside === undefined ? page : page.getByRole("group", { name: inside, exact: true });

export function pointer(page: Page, places: [string, string][]): Hand {
  return {
    press: (name) => page.getByRole("button", { name, exact: true }).first().click(),
    async choose(label, choice) {
      await page.getByLabel(label, { exact: true }).selectOption(choice);
    },
    async type(name, text, inside) {
      await within(page, inside).getByRole("textbox", { name, exact: true }).first().fill(text);
      await page.locator(".designer-properties h2").click(); // a number is applied when the field loses focus
    },
    async append(name, text) {
      await page.getByRole("textbox", { name, exact: true }).click();
      await page.keyboard.press("ControlOrMeta+End");
      await page.keyboard.insertText(text);
    },
    select: (path) => page.locator(`[data-item="${path}"]`).click(),
    async move(path, across, down) {
      const box = await onPage(page, path).boundingBox();
      if (!box) throw new Error(`${path} lies nowhere`);
      const mm = ((await scaleOf(page)) * 72) / 25.4;
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + across * mm, y + down * mm, { steps: 5 });
      await page.mouse.up();
      const fields = page.locator(".designer-properties .field-measure input");
      places.push([await fields.nth(0).inputValue(), await fields.nth(1).inputValue()]);
    },
    async place(path, down) {
      await onPage(page, path).waitFor();
      const fields = page.locator(".designer-properties .field-measure input");
      const [x, y] = [Number(await fields.nth(0).inputValue()), Number(await fields.nth(1).inputValue())];
      await this.move(path, 148.5 - x, 105 + down - y);
    },
    async upload(label, file) {
      const chooser = page.waitForEvent("filechooser");
      await fileOf(page, label).locator("xpath=..").click();
      await (await chooser).setFiles(file);
    },
  };
}

export function keys(page: Page, places: [string, string][]): Hand {
  const { keyboard } = page;
  /**
   * Moves the focus to an element. Uses arrow keys within the toolbar, Enter from the page to the properties, Escape
   * from the properties back to the page, and Tab everywhere else.
   */
  async function tabTo(selector: string) {
    const way = `(() => {
      const wanted = document.querySelector(${JSON.stringify(selector)});
      const focused = document.activeElement;
      if (!wanted || wanted === focused) return wanted ? "there" : "nowhere";
      if (focused.matches(".stage-item") && wanted.closest(".designer-properties")) return "Enter";
      const isAfter = focused.compareDocumentPosition(wanted) & 4;
      const bar = focused.closest("[role=toolbar]");
      if (bar?.contains(wanted)) return isAfter ? "ArrowRight" : "ArrowLeft";
      const leaves = focused.closest(".designer-properties") && wanted.closest(".designer-bar, .stage");
      if (leaves && document.querySelector('.stage-item[aria-pressed="true"]')) return "Escape";
      return isAfter ? "Tab" : "Shift+Tab";
    })()`;
    for (let tries = 0; tries < 150; tries++) {
      const next = await page.evaluate<string>(way);
      if (next === "there") return;
      if (next === "nowhere") break;
      await keyboard.press(next);
    }
    throw new Error(`Tab does not lead to ${selector}`);
  }
  const tabToNamed = (role: "button" | "combobox" | "textbox", name: string, inside?: string) =>
    tabToThis(within(page, inside).getByRole(role, { name, exact: true }).first());
  async function tabToThis(wanted: Locator) {
    await wanted.evaluate((element) => element.setAttribute("data-wanted", "yes"));
    await tabTo("[data-wanted]");
    await wanted.evaluate((element) => element.removeAttribute("data-wanted"));
  }
  return {
    async press(name) {
      await tabToNamed("button", name);
      await keyboard.press("Enter");
    },
    async choose(label, choice) {
      await tabToNamed("combobox", label);
      // Typing selects a choice; Enter would open the list. Only ASCII is typed, because Playwright has no keys for
      // other letters, and Chromium would insert them into selected text.
      await keyboard.type(/^[ -~]*/.exec(choice)?.[0] ?? "");
    },
    async type(label, text, inside) {
      await tabToNamed("textbox", label, inside);
      await keyboard.press("ControlOrMeta+a");
      await keyboard.insertText(text);
      await keyboard.press("Tab");
    },
    async append(label, text) {
      await tabToNamed("textbox", label);
      await keyboard.press("ControlOrMeta+End");
      await keyboard.insertText(text);
    },
    async select(path) {
      await tabTo('[data-item][tabindex="0"]');
      await keyboard.press("ArrowDown");
      for (let tries = 0; tries < 40; tries++) {
        if ((await page.locator(":focus").getAttribute("data-item")) === path) return;
        await keyboard.press("ArrowDown");
      }
      throw new Error(`arrow keys do not lead to ${path}`);
    },
    async move(path) {
      await this.select(path);
      await keyboard.press("Enter"); // moves the focus to the page
      await page.locator(`:focus[data-path="${path}"]`).waitFor();
      await keyboard.press("ArrowDown");
      await keyboard.press("Enter"); // moves the focus to the properties
      for (const place of places.shift() ?? []) {
        await keyboard.press("ControlOrMeta+a");
        await keyboard.type(place);
        await keyboard.press("Tab");
      }
    },
    place(path) {
      return this.move(path, 0, 0);
    },
    async upload(label, file) {
      const chooser = page.waitForEvent("filechooser");
      // Moving the focus also gives the browser time to process that the test waits for a file chooser.
      await tabToThis(fileOf(page, label));
      await keyboard.press("Enter");
      await (await chooser).setFiles(file);
    },
  };
}
