import { pdfCredentialGenerator } from "../design/pdf-credential.js";
import type { Generator } from "../generator.js";

/** The generation functions that ship with the service. */
export const builtInGenerators: readonly Generator[] = [pdfCredentialGenerator];
