import type { JsonObject } from "@bufbuild/protobuf";
import { isJsonObject } from "../options/read-options.js";

/** Regions in which US Letter is the usual paper size (`paperSize` in CLDR). All others use A4. */
const LETTER_REGIONS = "BZ CA CL CO CR GT MX NI PA PH PR SV US VE".split(" ");

/** Sets the paper size of a design to US Letter if that size is usual in the region of the reader's language tag. */
export function onLocalPaper(options: JsonObject, language: string): JsonObject {
  const { region = "" } = new Intl.Locale(language);
  if (!LETTER_REGIONS.includes(region)) return options;
  return { ...options, page: { ...(isJsonObject(options.page) && options.page), size: "LETTER" } };
}
