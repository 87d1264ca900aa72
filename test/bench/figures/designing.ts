import { setTimeout as sleep } from "node:timers/promises";
import { designs } from "#formats/rendering/designs/list.js";
import { GENERATE_PDF, GRADES } from "../credentials.js";
import type { Figure } from "../figure.js";
import { startGenerating } from "../generation.js";
import { tokenOf } from "../service.js";

/** The repeat interval of an arrow key that is held down on a slow keyboard. */
const PAUSE_MS = 100;

export const designing: Figure = {
  name: "designing",
  subject: "credentials made by one service while a text is moved in the designer, ten times a second",
  baseline: "the same while nobody designs",
  unit: "documents/s",
  reach: 0.8,

  async prepare(stage) {
    const { make, httpPort } = await startGenerating(stage);
    const token = await tokenOf("platform", true);
    const credentialType = {
      name: "Certificate",
      retrievalFunc: GRADES,
      generationFunc: GENERATE_PDF,
      customOptions: { ...designs.modern },
    };
    const edit = async (x: number) => {
      const response = await fetch(
        `http://127.0.0.1:${httpPort}/learning_credentials.v1.ConfigurationService/PreviewCredential`,
        {
          method: "POST",
          headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
          body: JSON.stringify({ credentialType, customOptions: { text_elements: { name: { x } } } }),
        },
      );
      if (!response.ok) throw new Error(await response.text());
      await response.arrayBuffer();
    };
    await edit(400); // The first edit starts the thread that draws previews.
    return {
      async subject() {
        let isDesigning = true;
        const designed = (async () => {
          for (let x = 400; isDesigning; x += 0.1) {
            await edit(x);
            await sleep(PAUSE_MS);
          }
        })();
        try {
          return await make();
        } finally {
          isDesigning = false;
          await designed;
        }
      },
      baseline: make,
    };
  },
};
