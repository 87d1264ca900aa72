import type { CredentialEventType } from "./append-events.js";

/** Has each type once, as the compiler makes sure. */
const known: Record<CredentialEventType, true> = {
  issued: true,
  available: true,
  failed: true,
  invalidated: true,
  reissued: true,
  emailed: true,
  email_refused: true,
  erased: true,
  imported: true,
  links_revoked: true,
  expired: true,
  renewed: true,
  renamed: true,
};

/** All types of events. */
export const eventTypes = Object.keys(known) as readonly CredentialEventType[];
