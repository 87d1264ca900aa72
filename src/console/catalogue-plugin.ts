import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";
import type { Plugin } from "vite";

const CATALOGUE = /\/languages\/([\w-]+)\/\w+\.json$/;
const FORMATS = resolve(import.meta.dirname, "i18n/message-formats.ts");

/** Compiles message catalogues. Messages with values become functions, so browsers need no parser. */
export function catalogues(): Plugin {
  return {
    name: "catalogues",
    enforce: "pre",
    resolveId(source, importer) {
      if (importer === undefined || !CATALOGUE.test(resolve(dirname(importer), source))) return;
      return `${resolve(dirname(importer), source)}.js`; // Vite would treat a name that ends in .json as JSON
    },
    load(id) {
      const path = id.replace(/\.js$/, "");
      const [, tag] = CATALOGUE.exec(path) ?? [];
      if (tag === undefined || path === id) return;
      this.addWatchFile(path);
      return `import { messageFormats } from ${JSON.stringify(FORMATS)};
const { number, plural, fullStopAfter } = messageFormats(${JSON.stringify(tag)});
export default ${compiled(JSON.parse(readFileSync(path, "utf8")))};`;
    },
  };
}

type Catalogue = { readonly [key: string]: string | Catalogue };

function compiled(catalogue: Catalogue): string {
  const entries = Object.entries(catalogue).map(([key, value]) => {
    return `${JSON.stringify(key)}: ${typeof value === "string" ? compileMessage(value) : compiled(value)}`;
  });
  return `{ ${entries.join(",\n")} }`;
}

function compileMessage(message: string): string {
  const elements = parse(message, { ignoreTag: true });
  const text = compileElements(elements);
  return elements.every(({ type }) => type === TYPE.literal) ? text : `(values) => ${text}`;
}

function compileElements(elements: readonly MessageFormatElement[]): string {
  return `\`${elements.map((each, index) => compileElement(each, elements[index - 1])).join("")}\``;
}

function compileElement(element: MessageFormatElement, before?: MessageFormatElement): string {
  switch (element.type) {
    case TYPE.literal: {
      const text = element.value.replace(/[\\`$]/g, "\\$&");
      return before?.type === TYPE.argument && text.startsWith(".")
        ? `\${fullStopAfter(values.${before.value})}${text.slice(1)}`
        : text;
    }
    case TYPE.argument:
      return `\${values.${element.value}}`;
    case TYPE.pound:
      return "$" + "{count}";
    case TYPE.plural: {
      const forms = Object.entries(element.options).map(
        ([name, { value }]) => `${JSON.stringify(name)}: ${compileElements(value)}`,
      );
      return `\${plural(values.${element.value}, (count) => ({ ${forms.join(", ")} }))}`;
    }
    case TYPE.number:
      if (!element.style) return `\${number(values.${element.value})}`;
  }
  throw new Error(`messages of the console can't have this element: ${JSON.stringify(element)}`);
}
