import { ChangeKind } from "#gen/learning_credentials/options/v1/options_pb.js";

/**
 * Actions that are not calls of a method, such as commands and pages, and the kind of change that each makes. The audit
 * trail records them under these names. An action that gives someone access, such as a sign-in, has the kind `CREATED`.
 */
export const acts = {
  "asset delete": ChangeKind.DELETED,
  "asset upload": ChangeKind.CHANGED,
  audit: ChangeKind.UNSPECIFIED,
  badge: ChangeKind.UNSPECIFIED,
  "connector hand-over": ChangeKind.CHANGED,
  "connector hand-over --dry-run": ChangeKind.UNSPECIFIED,
  "connector sync": ChangeKind.IMPORTED,
  "connector sync --dry-run": ChangeKind.UNSPECIFIED,
  "connector take-over": ChangeKind.CHANGED,
  "connector take-over --dry-run": ChangeKind.UNSPECIFIED,
  console: ChangeKind.CREATED,
  "console --sign-out": ChangeKind.CANCELLED,
  credentials: ChangeKind.UNSPECIFIED,
  "database-url": ChangeKind.CREATED,
  "DELETE /console/session": ChangeKind.CANCELLED,
  "doctor --repair": ChangeKind.CHANGED,
  erase: ChangeKind.DELETED,
  "erase --dry-run": ChangeKind.UNSPECIFIED,
  "GET /console/sign-in/callback": ChangeKind.CREATED,
  import: ChangeKind.IMPORTED,
  "import-credentials": ChangeKind.IMPORTED,
  "import-credentials --dry-run": ChangeKind.UNSPECIFIED,
  "import-from": ChangeKind.IMPORTED,
  "import-from --dry-run": ChangeKind.UNSPECIFIED,
  issue: ChangeKind.ISSUED,
  "keys new": ChangeKind.CREATED,
  "keys revoke": ChangeKind.INVALIDATED,
  "log continue": ChangeKind.CREATED,
  "log publish": ChangeKind.SENT,
  "lti accept": ChangeKind.CHANGED,
  "lti accept-deployment": ChangeKind.CHANGED,
  "lti check": ChangeKind.STARTED,
  "lti invite": ChangeKind.CREATED,
  "lti refuse": ChangeKind.CHANGED,
  "lti refuse-deployment": ChangeKind.CHANGED,
  "lti register": ChangeKind.CREATED,
  "lti remove": ChangeKind.DELETED,
  "lti rotate-key": ChangeKind.CHANGED,
  "lti sync": ChangeKind.IMPORTED,
  "migrate down": ChangeKind.CHANGED,
  "migrate up": ChangeKind.CHANGED,
  "POST /console/session": ChangeKind.CREATED,
  "POST /lti/register": ChangeKind.CREATED,
  release: ChangeKind.CHANGED,
  run: ChangeKind.STARTED,
  "run --dry-run": ChangeKind.UNSPECIFIED,
  "run cancel": ChangeKind.CANCELLED,
  "run list": ChangeKind.UNSPECIFIED,
  "run retry": ChangeKind.STARTED,
  "run watch": ChangeKind.UNSPECIFIED,
  token: ChangeKind.CREATED,
  "webhooks create": ChangeKind.CREATED,
  "webhooks delete": ChangeKind.DELETED,
  "webhooks enable": ChangeKind.CHANGED,
  "webhooks pause": ChangeKind.CHANGED,
  "webhooks replay": ChangeKind.CHANGED,
  "webhooks rotate": ChangeKind.CHANGED,
  "webhooks skip": ChangeKind.CHANGED,
  "webhooks test": ChangeKind.SENT,
  "webhooks update": ChangeKind.CHANGED,
} as const satisfies Readonly<Record<string, ChangeKind>>;

export type Act = keyof typeof acts;

/** Acts that have a dry run. A dry run is recorded under a name of its own, because it changes nothing. */
type ActWithDryRun<Name = Act> = Name extends `${infer Act} --dry-run` ? Act : never;

export function actOf(name: Act & ActWithDryRun, isDryRun: boolean): Act {
  return isDryRun ? `${name} --dry-run` : name;
}
