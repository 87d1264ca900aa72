import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const textOf = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

test("the appearance tests open every page of the console", () => {
  const routes = [...textOf("../../src/console/routes.tsx").matchAll(/\bpage\("([^"]+)"/g)].map(
    ([, path = ""]) => path,
  );
  const opened = [...textOf("appearance.long.test.ts").matchAll(/^ {4}["`](\/[^"`]*)["`],$/gm)].map(
    ([, path = ""]) => path.replaceAll(/\$\{\w+\}/g, "any").replace(/[?#].*/, ""),
  );
  const isOpened = (route: string) => {
    const pattern = new RegExp(`^${route.replaceAll(/\$\w+/g, "[^/]+")}$`);
    return opened.some((path) => pattern.test(path));
  };
  expect(routes.length).toBeGreaterThan(20);
  expect(routes.filter((route) => !isOpened(route))).toEqual([]);
});
