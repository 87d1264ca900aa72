import type { z } from "zod";
import type { pdfOptions } from "../design/pdf-options.js";

/** Options of the PDF generator, as they are written. */
export type DesignOptions = z.input<typeof pdfOptions>;
