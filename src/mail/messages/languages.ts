import { loadLanguages } from "../../languages.js";
import type { Wording } from "./wording.js";

/** Those that we write mails in, one for each file of `languages/`. */
export const languages = await loadLanguages<Wording>(new URL("./languages/", import.meta.url));
