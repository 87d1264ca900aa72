import { arabesque } from "./arabesque.js";
import { attendance } from "./attendance.js";
import { bilingual } from "./bilingual.js";
import { classic } from "./classic.js";
import type { DesignOptions } from "./design-file.js";
import { diploma } from "./diploma.js";
import { festive } from "./festive.js";
import { honours } from "./honours.js";
import { horizon } from "./horizon.js";
import { microCredential } from "./micro-credential.js";
import { midnight } from "./midnight.js";
import { minimal } from "./minimal.js";
import { modern } from "./modern.js";
import { photograph } from "./photograph.js";
import { portrait } from "./portrait.js";
import { ribbon } from "./ribbon.js";
import { stamp } from "./stamp.js";
import { vivid } from "./vivid.js";

/** The designs that users can start from. Their texts are in `src/foundation/languages/<tag>/design.json`. */
export const designs = {
  classic,
  modern,
  minimal,
  diploma,
  portrait,
  bilingual,
  "micro-credential": microCredential,
  attendance,
  ribbon,
  honours,
  midnight,
  vivid,
  horizon,
  festive,
  stamp,
  arabesque,
  photograph,
  engraved: {},
} as const satisfies Record<string, DesignOptions>;

export type DesignName = keyof typeof designs;

export const designNames = Object.keys(designs) as DesignName[];
