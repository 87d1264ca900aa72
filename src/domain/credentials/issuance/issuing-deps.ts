import type { Database } from "#infrastructure/db/database.js";
import type { Functions } from "../../configurations/functions.js";
import type { Processor } from "../../eligibility/processor.js";
import type { IssuingSettings } from "../print-settings.js";

export interface IssuingDeps {
  readonly database: Database;
  readonly functions: Functions<Processor>;
  readonly settings: IssuingSettings;
}
