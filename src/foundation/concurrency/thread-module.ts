import { extname } from "node:path";

/**
 * Returns the URL of a thread's module. That module is in the same directory as the module that starts the thread. If
 * the program runs from sources (tsx, vitest), the thread must load the compiler first.
 * @param importMetaUrl `import.meta.url` of the module that starts the thread
 * @param name file name of the thread's module, without extension
 */
export function threadModule(importMetaUrl: string, name: string): URL {
  const extension = extname(importMetaUrl);
  const module = new URL(`./${name}${extension}`, importMetaUrl);
  if (extension === ".js") return module;
  const tsx = import.meta.resolve("tsx/esm/api");
  const start = `import { register } from "${tsx}"; register(); await import("${module.href}");`;
  return new URL(`data:text/javascript,${encodeURIComponent(start)}`);
}
