// A plug-in whose key is a PEM file. If a file with the same name and the suffix `.kill` exists, the next signature
// removes that file and kills the process, which simulates a power cut.
import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";

export const signers = [
  {
    name: "academy.signers.mortal",
    summary: "A key in a file, which may take the process with it.",
    async open(reference) {
      const key = createPrivateKey(readFileSync(reference));
      return {
        publicKey: createPublicKey(key).export({ type: "spki", format: "pem" }),
        async sign(bytes) {
          try {
            rmSync(`${reference}.kill`);
          } catch {
            return sign(key.asymmetricKeyType === "ed25519" ? null : "sha256", bytes, key);
          }
          process.kill(process.pid, "SIGKILL");
        },
      };
    },
  },
];
