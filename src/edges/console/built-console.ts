import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Coding } from "../http/accept-encoding.js";

/** A file of the console. Its name contains a hash of its content. */
export interface ConsoleAsset {
  readonly contentType: string;
  readonly plain: Buffer;
  readonly coded: Readonly<Partial<Record<Coding, Buffer>>>;
}

/** The output of `npm run build` for `src/console/`. */
export interface BuiltConsole {
  /** `index.html` with placeholders, which are filled in for each response. */
  readonly page: string;
  /** @returns undefined if no build has such an asset; `gone` if a newer build has replaced it */
  readAsset(name: string): Promise<ConsoleAsset | "gone" | undefined>;
}

const contentTypes: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  mjs: "text/javascript; charset=utf-8",
  json: "application/json",
  svg: "image/svg+xml",
  webp: "image/webp",
  woff2: "font/woff2",
};

/** @returns undefined if the console has not been built */
export async function openBuiltConsole(directory: string): Promise<BuiltConsole | undefined> {
  const page = await readIfThere(join(directory, "index.html"));
  if (!page) return undefined;
  const assets = join(directory, "assets");
  const names = new Set(await readdir(assets));
  const cachedAssets = new Map<string, Promise<ConsoleAsset | "gone">>();

  return {
    page: page.toString("utf8"),
    async readAsset(name) {
      if (!names.has(name)) return undefined;
      const asset = cachedAssets.get(name) ?? readAsset(assets, name);
      cachedAssets.set(name, asset);
      asset.catch(() => cachedAssets.delete(name));
      return asset;
    },
  };
}

async function readAsset(directory: string, name: string): Promise<ConsoleAsset | "gone"> {
  const path = join(directory, name);
  const [plain, br, gzip] = await Promise.all([
    readIfThere(path),
    readIfThere(`${path}.br`),
    readIfThere(`${path}.gz`),
  ]);
  if (!plain) return "gone";
  return {
    contentType: contentTypes[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream",
    plain,
    coded: { ...(br && { br }), ...(gzip && { gzip }) },
  };
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
