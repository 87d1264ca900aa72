import { getDocument, type PDFDocumentProxy, PDFWorker } from "pdfjs-dist";
import workerAddress from "pdfjs-dist/build/pdf.worker.min.mjs?url";

interface ScriptPolicy {
  createScriptURL(address: string): string;
}

interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL: (address: string) => string }): ScriptPolicy;
}

/** The one script that the console starts itself: the policy lets no other address pass. */
function workerScript(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory };
  if (!trustedTypes) return workerAddress;
  const policy = trustedTypes.createPolicy("console", {
    createScriptURL(address) {
      if (address !== workerAddress) throw new TypeError(`The console starts no script at ${address}.`);
      return address;
    },
  });
  return policy.createScriptURL(workerAddress);
}

let worker: PDFWorker | undefined;

/** Opens a PDF, in a worker that is started with the first one and outlives each: pdf.js would end its own with any of them. */
export function openPdf(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  worker ??= PDFWorker.create({ port: new Worker(workerScript(), { type: "module" }) });
  // pdf.js takes the bytes away from their owner.
  return getDocument({ worker, data: bytes.slice(), isEvalSupported: false, useWasm: false }).promise;
}
