import type { Chapter } from "../chapter.js";
import type { DesigningWording } from "./wording.js";

/** The words about credential types and configurations. */
export const designing: Chapter<DesigningWording> = {
  en: () => import("./en.js").then(({ en }) => en),
  es: () => import("./es.js").then(({ es }) => es),
  fr: () => import("./fr.js").then(({ fr }) => fr),
  de: () => import("./de.js").then(({ de }) => de),
  ar: () => import("./ar.js").then(({ ar }) => ar),
  uk: () => import("./uk.js").then(({ uk }) => uk),
};
