import { failedPrecondition } from "#foundation/errors.js";
import type { Database } from "#infrastructure/db/database.js";
import type { User } from "#infrastructure/identity/caller.js";
import type { SendRequest } from "#infrastructure/outbound/send-request.js";
import type { PlatformKeys } from "./platform-keys.js";
import type { CallService } from "./platform-services.js";
import type { ToolKeys } from "./tool-keys.js";

/**
 * Why LTI is off: there is no secret, the generated secret can't be decrypted, or `PUBLIC_URL` doesn't start with
 * https://.
 */
export type LtiObstacle = "secret_missing" | "secret_unreadable" | "public_url";

/** Dependencies of LTI, which is available only if there is no `LtiObstacle`. */
export interface Lti {
  readonly database: Database;
  /** The first secret encrypts and signs. All secrets decrypt and verify. */
  readonly secrets: readonly [string, ...string[]];
  readonly sendRequest: SendRequest;
  readonly callService: CallService;
  readonly toolKeys: ToolKeys;
  readonly platformKeys: PlatformKeys;
  /**
   * Returns the learner for whom a page in a frame was made, if the platform and the deployment are still accepted.
   * @throws Problem `unauthenticated` if the token is not valid
   */
  callerOfPage(token: string): Promise<User>;
  readonly publicUrl: string;
  /** Milliseconds since 1970. */
  now(): number;
}

/** @throws Problem `failed-precondition` if LTI is off */
export function ltiOrRefuse(lti: Lti | undefined): Lti {
  if (lti) return lti;
  throw failedPrecondition(
    "LTI is off: it needs a PUBLIC_URL that starts with https://, and SETTINGS_SECRET or LTI_SECRET. If both are set, SETTINGS_SECRET has changed: add its earlier value as another line.",
  );
}
