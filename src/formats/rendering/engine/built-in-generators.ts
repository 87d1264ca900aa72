import { pdfCredentialGenerator } from "../design/pdf-credential.js";
import type { Generator } from "../generator.js";

export const builtInGenerators: readonly Generator[] = [pdfCredentialGenerator];
