// A plug-in whose key is a PEM file. While there is a file beside it, named like it with `.kill`, signing ends the process
// at once, as a power cut does.
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
