import { getDocument, type PDFDocumentProxy, PDFWorker } from "pdfjs-dist";
import workerAddress from "pdfjs-dist/build/pdf.worker.min.mjs?url";
import { createPolicy } from "./trusted-types.js";

/** Trusted Types policy that allows only the script URL of the pdf.js worker. */
const policy = createPolicy("console", {
  createScriptURL(address) {
    if (address !== workerAddress)
      throw new TypeError(`The console is not allowed to start the script at ${address}.`);
    return address;
  },
});

let worker: PDFWorker | undefined;

/** Opens a PDF. All PDFs share a worker, because pdf.js would otherwise end the worker with each PDF. */
export function openPdf(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  worker ??= PDFWorker.create({
    port: new Worker(policy.createScriptURL(workerAddress), { type: "module" }),
  });
  // pdf.js transfers the bytes to its worker, so it gets a copy.
  return getDocument({ worker, data: bytes.slice(), isEvalSupported: false, useWasm: false }).promise;
}
