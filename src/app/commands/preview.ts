import { writeFile } from "node:fs/promises";
import { type Command, Option } from "commander";
import { type DescribedDesign, describedDesigns } from "#domain/configurations/designs.js";
import type { Options } from "#domain/configurations/options.js";
import { previewCredential } from "#domain/credentials/generation/preview-credential.js";
import { builtInProcessors } from "#domain/eligibility/processor.js";
import { pdfCredentialGenerator } from "#formats/rendering/design/pdf-credential.js";
import { type DesignName, designNames } from "#formats/rendering/designs/list.js";
import { invalid } from "#foundation/errors.js";
import { isObject } from "#foundation/text/is-object.js";
import { mergeOptions } from "#foundation/text/merge-options.js";
import { readSettingsJson } from "#foundation/text/settings-json.js";
import { previewDepsOf } from "../dependencies.js";
import { parseId } from "./parse-id.js";
import { readInput } from "./read-input.js";
import { withApp } from "./with-app.js";

interface PreviewOptions {
  readonly output: string;
  readonly name: string;
  readonly contextName: string;
  readonly design?: DesignName;
  readonly options?: string;
}

export function addCommand(program: Command): void {
  program
    .command("preview")
    .description("generate the document of a configuration or design, marked as a preview; nothing is issued")
    .argument("[configuration-id]", "credential configuration; optional with --design", parseId)
    .option("-o, --output <file>", "output file", "preview.pdf")
    .option("--name <text>", "name to print (default: a sample name)", "")
    .option("--context-name <text>", "name of the course or path to print (default: the configuration's)", "")
    .addOption(
      new Option("--design <name>", "built-in design, merged over the options of the configuration").choices(
        designNames,
      ),
    )
    .option(
      "--options <file>",
      "JSON file with unsaved options, merged over those of the configuration and design",
    )
    .action((configurationId: number | undefined, previewOptions: PreviewOptions) =>
      withApp(async (app, signal) => {
        const design = describedDesigns(app.config.language).find(
          ({ name }) => name === previewOptions.design,
        );
        const own = previewOptions.options === undefined ? {} : await readOptions(previewOptions.options);
        const preview = {
          source: configurationId === undefined ? { type: typeOf(design) } : { configurationId },
          customOptions: mergeOptions({ ...design?.customOptions }, own),
          samples: [{ userFullName: previewOptions.name, learningContextName: previewOptions.contextName }],
          mode: { stamp: "across", layoutOnly: false, lenient: false },
        } as const;
        const parts = previewDepsOf(app);
        const [document] = await previewCredential(parts, preview, signal);
        await writeFile(previewOptions.output, document?.pdf ?? "");
        process.stdout.write(`${previewOptions.output}\n`);
      }),
    );
}

/** Returns a credential type that is based on a design, to preview a document without a configuration. */
function typeOf(design: DescribedDesign | undefined) {
  const [{ name: retrievalFunc } = { name: "" }] = builtInProcessors;
  if (!design) throw invalid("Nothing to preview: pass the id of a configuration, or --design <name>.");
  return {
    name: design.title,
    retrievalFunc,
    generationFunc: pdfCredentialGenerator.name,
    customOptions: {},
  };
}

async function readOptions(file: string): Promise<Options> {
  const text = (await readInput(file)).toString("utf8");
  try {
    const options = readSettingsJson(text);
    if (isObject(options)) return options;
  } catch (error) {
    throw invalid(`${file} is not JSON: ${error instanceof Error ? error.message : error}`, error);
  }
  throw invalid(`${file} must contain a JSON object of options.`);
}
