import { getDocument, type PDFDocumentProxy, PDFWorker } from "pdfjs-dist";
import workerAddress from "pdfjs-dist/build/pdf.worker.min.mjs?url";

interface ScriptPolicy {
  createScriptURL(address: string): string;
}

interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL: (address: string) => string }): ScriptPolicy;
}

/** Returns the worker's script, which the content security policy allows as the only one. */
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

/**
 * Opens a PDF in a worker, which is started for the first PDF and then reused: pdf.js would end its own worker with
 * each PDF.
 */
export function openPdf(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  worker ??= PDFWorker.create({ port: new Worker(workerScript(), { type: "module" }) });
  // A copy, because pdf.js transfers the bytes to its worker.
  return getDocument({ worker, data: bytes.slice(), isEvalSupported: false, useWasm: false }).promise;
}
