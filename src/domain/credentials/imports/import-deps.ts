import { createInspectDocument } from "../../assets/inspection/inspect-asset.js";
import type { ImportDeps } from "./import-credential.js";
import { createPrintImported, type PrintingDeps } from "./print-imported.js";

export function createImportDeps(
  app: Pick<ImportDeps, "database" | "files"> &
    Omit<PrintingDeps, "settings" | "publicUrl"> & {
      readonly config: PrintingDeps["settings"] & { readonly outputDir: string };
      readonly publicUrl: string;
    },
): ImportDeps {
  const { database, files, config, functions, renderer, loadAssets, publicUrl } = app;
  return {
    database,
    files,
    settings: config,
    outputDir: config.outputDir,
    inspectDocument: createInspectDocument(),
    print: createPrintImported({ functions, renderer, loadAssets, settings: config, publicUrl }),
  };
}
