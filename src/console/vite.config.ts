import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { base64Decode } from "@bufbuild/protobuf/wire";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import optimizeLocales from "@react-aria/optimize-locales-plugin";
import { defineConfig, type Plugin } from "vite";
// The path is relative, because Vite knows the meaning of # in imports only after it has read this file.
import { languages } from "../foundation/languages/list.js";
import { catalogues } from "./catalogue-plugin.js";

/** Builds the console into `dist/console`. The service serves it from there. */
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  cacheDir: resolve(import.meta.dirname, "../../node_modules/.vite-console"),
  // The service fills in the placeholder in each response.
  html: { cspNonce: "{nonce}" },
  // The console and the service use the same code for reading tables.
  resolve: {
    // As in tsconfig.json. In package.json, # refers to compiled files, which may be outdated.
    alias: [
      { find: /^#(gen\/.*)\.js$/, replacement: resolve(import.meta.dirname, "../../$1") },
      { find: /^#(.*)\.js$/, replacement: resolve(import.meta.dirname, "../$1") },
      { find: "csv-parse/sync", replacement: "csv-parse/browser/esm/sync" },
    ],
  },
  plugins: [
    catalogues(),
    textsInAdvance(),
    compactDescriptors(),
    optimizeLocales.vite({ locales: Object.values(languages).map(({ locale }) => locale) }) as Plugin,
    compressed(),
  ],
  build: {
    outDir: resolve(import.meta.dirname, "../../dist/console"),
    emptyOutDir: true,
    target: "es2023",
    modulePreload: {
      polyfill: false,
      // Lists of each page's files would enlarge the first page. The pages are fetched in advance anyway.
      resolveDependencies: (_, deps, { hostType }) =>
        hostType === "html" ? deps : deps.filter((name) => name.endsWith(".css")),
    },
    // A worker from inline text would violate the content security policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
    reportCompressedSize: false,
    rolldownOptions: {
      // Puts the files that the first page needs into one file. On a slow connection, fifty small files would arrive
      // later.
      output: { codeSplitting: { groups: [{ name: "console", tags: ["$initial"] }] } },
      checks: { pluginTimings: false }, // a slow plug-in on a busy machine needs no warning
      // "use client" has a meaning only for servers that render React.
      onLog: (level, log, report) => log.code === "MODULE_LEVEL_DIRECTIVE" || report(level, log),
    },
  },
});

const TEXTS_IN_ADVANCE = resolve(import.meta.dirname, "i18n/texts-in-advance.ts");

/** Lets each module request the chapters of its `useChapter` as soon as it is loaded. `withTexts` waits for them. */
function textsInAdvance(): Plugin {
  return {
    name: "texts-in-advance",
    enforce: "pre",
    transform(code, id) {
      if (!/\.tsx?$/.test(id)) return;
      const chapters = new Set([...code.matchAll(/\buseChapter\("(\w+)"\)/g)].map(([, chapter]) => chapter));
      if (chapters.size === 0) return;
      const requests = [...chapters].map((chapter) => `requestChapter("${chapter}");`);
      return `import { requestChapter } from ${JSON.stringify(TEXTS_IN_ADVANCE)};\n${code}\n${requests.join("\n")}`;
    },
  };
}

const DESCRIPTOR = /(fileDesc\(\s*)"([^"]+)"/;

/**
 * Removes from the descriptors what only the service needs: who may call a method, and examples of its route. Their
 * bytes are written as text, because names in Base64 hardly compress.
 */
function compactDescriptors(): Plugin {
  return {
    name: "compact-descriptors",
    transform(code, id) {
      if (!/\/gen\/.*_pb\.ts$/.test(id)) return;
      return code.replace(DESCRIPTOR, (_, before: string, encoded: string) => {
        const file = fromBinary(FileDescriptorProtoSchema, base64Decode(encoded));
        const described = [
          ...file.service.flatMap(({ method }) => method),
          ...file.messageType.flatMap(({ field }) => field),
        ];
        for (const { options } of described) delete options?.$unknown;
        const text = Buffer.from(toBinary(FileDescriptorProtoSchema, file)).toString("latin1");
        return `${before}btoa(${JSON.stringify(text)})`;
      });
    },
  };
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** In bytes. A shorter file fits into one or two packets. */
const MIN_COMPRESSED = 1024;

/** Also writes each asset as `.br` and `.gz`, so the service doesn't have to compress anything. */
function compressed(): Plugin {
  return {
    name: "compressed",
    apply: "build",
    async writeBundle({ dir = "" }, bundle) {
      const paths = Object.keys(bundle).filter(
        (name) => name.startsWith("assets/") && !name.endsWith(".webp"),
      );
      await Promise.all(paths.map((name) => compressFile(join(dir, name))));
    },
  };
}

async function compressFile(path: string): Promise<void> {
  const bytes = await readFile(path);
  if (bytes.length < MIN_COMPRESSED) return;
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  await Promise.all([
    brotli(bytes, { params }).then((smaller) => writeFile(`${path}.br`, smaller)),
    zip(bytes, { level: constants.Z_BEST_COMPRESSION }).then((smaller) => writeFile(`${path}.gz`, smaller)),
  ]);
}
