import { extname } from "node:path";

/**
 * Returns the URL of a thread's module, beside the module that starts it. When running from sources, as under tsx and
 * vitest, a thread must first load the compiler.
 * @param importMetaUrl of the module that starts it
 * @param name of the module, without extension
 */
export function threadModule(importMetaUrl: string, name: string): URL {
  const extension = extname(importMetaUrl);
  const module = new URL(`./${name}${extension}`, importMetaUrl);
  if (extension === ".js") return module;
  const tsx = import.meta.resolve("tsx/esm/api");
  const start = `import { register } from "${tsx}"; register(); await import("${module.href}");`;
  return new URL(`data:text/javascript,${encodeURIComponent(start)}`);
}
