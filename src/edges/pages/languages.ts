import { type Language, loadLanguages } from "../../languages.js";
import type { Wording } from "./wording.js";

/** A language that our pages speak. */
export type PageLanguage = Language<Wording>;

/** All of them, one for each file of `languages/`. */
export const languages = await loadLanguages<Wording>(new URL("./languages/", import.meta.url));
