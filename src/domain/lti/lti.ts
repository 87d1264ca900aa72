import { failedPrecondition } from "#foundation/errors.js";
import type { Database } from "#infrastructure/db/database.js";
import type { User } from "#infrastructure/identity/caller.js";
import type { Ask } from "#infrastructure/outbound/ask.js";
import type { ParsePlainRecord } from "../learners/plain-record.js";
import type { PlatformKeys } from "./platform-keys.js";
import type { AskService } from "./platform-services.js";
import type { ToolKeys } from "./tool-keys.js";

/** Dependencies of LTI, which is available only if `LTI_SECRET` is set. */
export interface Lti {
  readonly database: Database;
  readonly parse: ParsePlainRecord;
  /** The first secret encrypts and signs; all of them decrypt and verify. */
  readonly secrets: readonly [string, ...string[]];
  readonly ask: Ask;
  readonly askService: AskService;
  readonly toolKeys: ToolKeys;
  readonly platformKeys: PlatformKeys;
  /**
   * Returns the learner to whom a page in a platform's frame belongs, as long as the platform and deployment are
   * accepted.
   * @throws Problem `unauthenticated` if the token is not valid
   */
  callerOfPage(token: string): Promise<User>;
  readonly publicUrl: string;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Returns the dependencies of LTI. @throws Problem `failed-precondition` if LTI is off */
export function ltiOrRefuse(lti: Lti | undefined): Lti {
  if (lti) return lti;
  throw failedPrecondition("LTI is off: LTI_SECRET is not set.");
}
