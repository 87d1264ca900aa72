import { createPrivateKey, sign } from "node:crypto";
import { readFile } from "node:fs/promises";
import { openAuthority } from "../../sealing/authority.js";
import { sealOf, withSealSlot } from "../../sealing/given-seal.js";
import { perCpuSecond } from "../cpu.js";
import type { Figure } from "../figure.js";
import { startGenerating } from "../generation.js";
import type { Stage } from "../stage.js";

export const sealing: Figure = {
  name: "sealing",
  subject: "PDFs sealed per CPU second with P-256, without a timestamp: hashed, signed, written, verified",
  baseline: "the bare signature",
  unit: "seals/CPU s",
  reach: 0.05,
  rounds: 5,
  async prepare(stage) {
    const seals = 5000;
    const files = await sealFiles(stage);
    const seal = await sealOf({ seal: files });
    const pdf = await withSealSlot(seal);
    const key = createPrivateKey(await readFile(files.keyFile));
    const bytes = Buffer.alloc(200);
    return {
      subject: () =>
        perCpuSecond(seals, async () => {
          for (let made = 0; made < seals; made++) await seal.close(pdf);
        }),
      baseline: () =>
        perCpuSecond(seals, async () => {
          for (let made = 0; made < seals; made++) sign("sha256", bytes, key);
        }),
    };
  },
};

export const sealedGeneration: Figure = {
  name: "sealed-generation",
  subject: "credentials made by one service that seals them with P-256",
  baseline: "the same without seals",
  unit: "documents/s",
  reach: 0.85,
  async prepare(stage) {
    const { certFile, keyFile } = await sealFiles(stage);
    const plain = await stage.sharing("unsealed_generation", async () => {});
    const sealed = { PDF_SEAL_CERT_FILE: certFile, PDF_SEAL_KEY_FILE: keyFile };
    const [subject, baseline] = [await startGenerating(stage, sealed), await startGenerating(plain)];
    return { subject: subject.make, baseline: baseline.make };
  },
};

async function sealFiles(stage: Stage) {
  const authority = await openAuthority();
  stage.defer(authority.remove);
  return authority.issue("seal", "P-256");
}
