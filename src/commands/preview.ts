import { writeFile } from "node:fs/promises";
import type { Command } from "commander";
import { isObject, type Options } from "../configurations/options.js";
import { previewCredential } from "../credentials/generation/preview-credential.js";
import { invalid } from "../errors.js";
import { parseId } from "./parse-id.js";
import { readInput } from "./read-input.js";
import { withApp } from "./with-app.js";

interface PreviewOptions {
  readonly output: string;
  readonly name: string;
  readonly contextName: string;
  readonly options?: string;
}

export function addCommand(program: Command): void {
  program
    .command("preview")
    .description("generate the document of a configuration, marked as a preview; nothing is issued")
    .argument("<configuration-id>", "the credential configuration", parseId)
    .option("-o, --output <file>", "where to write the PDF", "preview.pdf")
    .option("--name <text>", "the name to print (default: a sample)", "")
    .option("--context-name <text>", "the course or path to print (default: that of the configuration)", "")
    .option("--options <file>", "unsaved options in JSON, merged over those of the configuration")
    .action((configurationId: number, given: PreviewOptions) =>
      withApp(async (app, signal) => {
        const preview = {
          source: { configurationId },
          customOptions: given.options === undefined ? {} : await readOptions(given.options),
          samples: [{ userFullName: given.name, learningContextName: given.contextName }],
          mode: { stamp: "across", layoutOnly: false, lenient: false },
        } as const;
        app.publicUrl.setDefault(`http://127.0.0.1:${app.config.httpPort}`);
        const parts = { ...app, settings: app.config, publicUrl: app.publicUrl.get };
        const [document] = await previewCredential(parts, preview, signal);
        await writeFile(given.output, document?.pdf ?? "");
        process.stdout.write(`${given.output}\n`);
      }),
    );
}

async function readOptions(file: string): Promise<Options> {
  const text = (await readInput(file)).toString("utf8");
  try {
    const options: unknown = JSON.parse(text);
    if (isObject(options)) return options;
  } catch (error) {
    throw invalid(`${file} is not JSON: ${error instanceof Error ? error.message : error}`, error);
  }
  throw invalid(`${file} must hold a JSON object of options.`);
}
