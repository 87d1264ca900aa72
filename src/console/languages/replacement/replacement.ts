import type { Chapter } from "../chapter.js";
import type { ReplacementWording } from "./wording.js";

/** The words of the dialog that links a replacement. */
export const replacement: Chapter<ReplacementWording> = {
  en: () => import("./en.js").then(({ en }) => en),
  es: () => import("./es.js").then(({ es }) => es),
  fr: () => import("./fr.js").then(({ fr }) => fr),
  de: () => import("./de.js").then(({ de }) => de),
  ar: () => import("./ar.js").then(({ ar }) => ar),
  uk: () => import("./uk.js").then(({ uk }) => uk),
};
