import type { Knex } from "#infrastructure/db/query.js";
import { pick } from "../../configurations/options.js";
import type { RenderingDeps } from "../generation/render-credential.js";
import { factsOf } from "../generation/render-credential.js";
import { readDesign } from "../issuance/credential-design.js";
import { readInputs } from "../issuance/issuance-inputs.js";
import type { IssuingSettings } from "../print-settings.js";
import type { ExternalCredential } from "./import-store.js";

export interface PrintImported {
  /**
   * Reads the design of a configuration. Returns a function that prints the file. The caller must call it outside of
   * the transaction.
   * @throws Problem `failed-precondition` if the design, or a name, can't be printed
   */
  prepare(
    transaction: Knex.Transaction,
    configurationId: number,
    external: ExternalCredential,
  ): Promise<() => Promise<Uint8Array>>;
}

export type PrintingDeps = Pick<RenderingDeps, "functions" | "renderer" | "loadAssets" | "publicUrl"> & {
  readonly settings: IssuingSettings;
};

export function createPrintImported(deps: PrintingDeps): PrintImported {
  const { functions, renderer, loadAssets, publicUrl } = deps;
  return {
    async prepare(transaction, configurationId, external) {
      const { username, userFullName, learningContextName } = external;
      const inputs = await readInputs(transaction, { configurationId, username });
      if (!inputs) throw new Error(`configuration ${configurationId} is missing although it is locked`);
      const design = await readDesign(transaction, deps, configurationId, { ...inputs, learningContextName });
      const { content, used, checkShared, checkLearners } = design;
      const particulars = used.stated;
      checkShared();
      checkLearners([{ userFullName, particulars }]);
      const generator = functions.generation(content.generationFunc);
      const facts = factsOf({ ...content, ...external, awardedAt: null, particulars }, publicUrl);
      return async () =>
        renderer.render(
          generator.name,
          facts,
          pick(content.options, generator),
          await loadAssets(content.assets),
        );
    },
  };
}
