import type { z } from "zod";
import type { pdfOptions } from "../design/pdf-options.js";

/** Options as entered, before defaults. */
export type DesignOptions = z.input<typeof pdfOptions>;
