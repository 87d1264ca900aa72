import { attendance } from "./attendance.js";
import { bilingual } from "./bilingual.js";
import { classic } from "./classic.js";
import type { DesignOptions } from "./design-file.js";
import { diploma } from "./diploma.js";
import { microCredential } from "./micro-credential.js";
import { minimal } from "./minimal.js";
import { modern } from "./modern.js";
import { portrait } from "./portrait.js";

/** The designs to start from, by name. Their words are in `src/foundation/languages/`, in `design.json`. */
export const designs = {
  classic,
  modern,
  minimal,
  diploma,
  portrait,
  bilingual,
  "micro-credential": microCredential,
  attendance,
  engraved: {},
} as const satisfies Record<string, DesignOptions>;

export type DesignName = keyof typeof designs;

export const designNames = Object.keys(designs) as DesignName[];
