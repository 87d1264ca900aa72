import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import optimizeLocales from "@react-aria/optimize-locales-plugin";
import { defineConfig, type Plugin } from "vite";
// Read before the settings below, which say what # means.
import { languages } from "../foundation/languages/list.js";
import { catalogues } from "./catalogue-plugin.js";

/** Builds the console into `dist/console`, from where the service serves it. */
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  cacheDir: resolve(import.meta.dirname, "../../node_modules/.vite-console"),
  // The service fills the place in each answer.
  html: { cspNonce: "{nonce}" },
  // Tables are read by the same code here and in the service.
  resolve: {
    // As in tsconfig.json. By package.json, # is what was compiled before, and may be out of date.
    alias: [
      { find: /^#(gen\/.*)\.js$/, replacement: resolve(import.meta.dirname, "../../$1") },
      { find: /^#(.*)\.js$/, replacement: resolve(import.meta.dirname, "../$1") },
      { find: "csv-parse/sync", replacement: "csv-parse/browser/esm/sync" },
    ],
  },
  plugins: [
    catalogues(),
    withoutServiceOptions(),
    optimizeLocales.vite({ locales: Object.values(languages).map(({ locale }) => locale) }) as Plugin,
    compressed(),
  ],
  build: {
    outDir: resolve(import.meta.dirname, "../../dist/console"),
    emptyOutDir: true,
    target: "es2023",
    modulePreload: {
      polyfill: false,
      // Lists of what each page needs would be on the first one: pages are fetched before they are opened, anyway.
      resolveDependencies: (_, deps, { hostType }) =>
        hostType === "html" ? deps : deps.filter((name) => name.endsWith(".css")),
    },
    // A worker made of inline text would break the policy of the page.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { pluginTimings: false }, // a busy machine is nothing to warn of
      // "use client" means something to servers that render React alone.
      onLog: (level, log, report) => log.code === "MODULE_LEVEL_DIRECTIVE" || report(level, log),
    },
  },
});

const DESCRIPTOR = /(fileDesc\(\s*")([^"]+)(")/;

/** Leaves out of the descriptors what only the service reads: who may call a method, and examples of its route. */
function withoutServiceOptions(): Plugin {
  return {
    name: "without-service-options",
    transform(code, id) {
      if (!/\/gen\/learning_credentials\/v1\/\w+_pb\.ts$/.test(id)) return;
      return code.replace(DESCRIPTOR, (_, before: string, encoded: string, after: string) => {
        const file = fromBinary(FileDescriptorProtoSchema, base64Decode(encoded));
        const described = [
          ...file.service.flatMap(({ method }) => method),
          ...file.messageType.flatMap(({ field }) => field),
        ];
        for (const { options } of described) delete options?.$unknown;
        return before + base64Encode(toBinary(FileDescriptorProtoSchema, file), "std_raw") + after;
      });
    },
  };
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Files shorter than this, in bytes, fit into a packet or two anyway. */
const MIN_COMPRESSED = 1024;

/** Writes each asset also as `.br` and `.gz`, so that the service compresses nothing. */
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
