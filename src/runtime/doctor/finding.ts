/** A problem that isn't just the intermediate state of running work. */
export interface Finding {
  readonly kind: FindingKind;
  readonly credentialUuid?: string;
  readonly fileKey?: string;
  /** May contain ids and keys, but no names of people. */
  readonly detail: string;
}

interface FindingExplanation {
  readonly title: string;
  readonly remedy: string;
  /** True if the problem does no harm. Warnings don't affect the exit code. */
  readonly isWarning?: true;
}

const explained = {
  "still-public": {
    title: "invalidated credential whose file can still be downloaded",
    remedy: "`doctor --repair` moves the file.",
  },
  "erased-file": {
    title: "credential of an erased learner whose file still exists",
    remedy: "`doctor --repair` deletes the file.",
  },
  "missing-file": {
    title: "available credential whose file is missing",
    remedy:
      "`doctor --repair` generates the file again if that gives the same bytes; otherwise restore it from a backup, or reissue " +
      "the credential.",
  },
  "damaged-file": {
    title: "credential whose file is not the one that was generated",
    remedy:
      "`doctor --repair` generates the file again if that gives the same bytes; otherwise restore it from a backup, or reissue " +
      "the credential.",
  },
  "lost-generation": {
    title: "generating credential without a job that generates its file",
    remedy: "`doctor --repair` enqueues its job.",
  },
  "lost-move": {
    title: "invalidated credential without a job that moves its file",
    remedy: "`doctor --repair` enqueues its job.",
  },
  "altered-credential": {
    title: "credential whose contents contradict its events",
    remedy:
      "The credential was changed outside the service: compare its row with a backup, and restore its contents, or invalidate it.",
  },
  "unrecorded-credential": {
    title: "credential without an event that records its issue or import",
    remedy:
      "The credential was inserted outside the service, or issued by a version that did not record events yet. Find out which, and issue it again, or remove its row.",
  },
  "misdated-credential": {
    title: "credential whose date differs from that of its event",
    remedy: "The date was changed outside the service: the time of the event is the right one.",
  },
  "lost-credential": {
    title: "missing credential that has events",
    remedy: "The credential was removed outside the service: restore its row from a backup.",
  },
  "impossible-event": {
    title: "an event that can't follow the previous one",
    remedy:
      "The event was written, or the credential changed, outside the service: compare both with a backup.",
  },
  "broken-event-chain": {
    title: "the events are not the ones that were sealed",
    remedy: "They were changed outside the service: compare them with a backup. The chain can't be repaired.",
  },
  "other-history": {
    title: "an event is not the one that was recorded elsewhere",
    remedy:
      "After restoring a backup, later events differ. Otherwise someone with the owner's rights has recomputed the chain: compare it with a backup.",
  },
  "removed-events": {
    title: "events were removed that EVENT_RETENTION_DAYS should have kept",
    remedy:
      "Compare them with a backup. If the setting was different then and you know the position and hash, `doctor --expect` with them accepts the removal.",
  },
  "contradicted-checkpoint": {
    title: "the events are not those of a checkpoint that was published",
    remedy:
      "Events, and all hashes after them, were changed outside the service: compare the events with a backup. If you restored a backup yourself, `log continue` starts a new log.",
  },
  "damaged-checkpoint": {
    title:
      "a checkpoint of the log, or its timestamp, does not verify, or is missing in the file store or the database",
    remedy:
      "The file store or the tables of the log were changed outside the service: restore them from a backup.",
  },
  "lost-checkpoint": {
    title: "a checkpoint that was published is not in the database",
    remedy:
      "Probably a backup was restored, and later events are lost: `log continue` starts a new log. Otherwise it was removed from the database: restore its row from a backup.",
  },
  "unpublished-events": {
    title: "events that have been in no checkpoint of the log for more than a day",
    remedy:
      "A worker publishes them: see its log. `log publish` publishes them immediately, or reports why it can't.",
    isWarning: true,
  },
  "restarted-log": {
    title: "the log was restarted, so an earlier log covers only some of the events",
    remedy:
      "If you had restored a backup then, or changed the key, nothing is wrong. Otherwise someone may have hidden a change: compare the events with a backup.",
    isWarning: true,
  },
  "renamed-actor": {
    title: "an actor whose name has changed since the event was recorded",
    remedy: "The name was changed outside the service: compare credential_event_actors with a backup.",
  },
  "unsealed-events": {
    title: "events wait to be sealed, and are not in the chain yet",
    remedy: "A running service seals them: see its log. `doctor --repair` also seals them.",
  },
  "stalled-run": {
    title: "a run is running, but none of its credentials is generating",
    remedy: "A worker ends such runs: see the worker's log. `doctor --repair` also ends them.",
  },
  "lagging-webhook": {
    title: "a webhook endpoint whose pending events will soon be removed",
    remedy:
      "`webhooks attempts` shows what is wrong. Have its receiver fixed and enable the endpoint, raise EVENT_RETENTION_DAYS, or " +
      "delete the endpoint.",
  },
  "disabled-webhook": {
    title: "a webhook endpoint was disabled because its receiver failed for days",
    remedy: "Have its receiver fixed. Then `webhooks enable` continues where delivery stopped.",
    isWarning: true,
  },
  "silent-mail-server": {
    title: "the email server accepts no email",
    remedy:
      "Emails wait until it does. Check the server, username, password and encryption in SMTP_URL or in the console (Administration > Settings), and whether the server can be reached from here.",
  },
  "late-webhook": {
    title: "a webhook endpoint does not get its events",
    remedy:
      "`webhooks attempts` shows what is wrong. If there were no attempts, start a worker. The worker needs the same SETTINGS_SECRET or WEBHOOK_SECRET as the service.",
    isWarning: true,
  },
  "asynchronous-standbys": {
    title: "the database has standbys, but no change waits for one",
    remedy:
      "If a standby is promoted, changes that were confirmed to callers may be missing, and events may get different positions. Set synchronous_standby_names (synchronous_mode of Patroni). If no standby is ever promoted, ignore this.",
    isWarning: true,
  },
  "missing-asset": {
    title: "the content of an asset is missing",
    remedy: "Upload the same content again: `asset upload`.",
  },
  "damaged-asset": {
    title: "the content of an asset is not what was uploaded",
    remedy: "Upload the right content again: `asset upload`.",
  },
  "mismatched-badge": {
    title: "credential whose file contains a badge that does not match its row",
    remedy:
      "The row or the file was changed outside the service: compare both with a backup and restore them, or reissue the credential.",
  },
  "mismatched-seal": {
    title: "credential whose seal does not verify, or is not the one that was recorded",
    remedy:
      "The file or credential_seals was changed outside the service: compare both with a backup and restore them, or reissue the credential.",
  },
  "ended-seal": {
    title: "the certificates of seals have expired, so PDF readers no longer confirm them",
    remedy:
      "The credentials remain valid, and their verification pages and badges still confirm them. Reissue them if their seals are needed; with TSA_URLS, seals last longer.",
    isWarning: true,
  },
  "missing-signing-key": {
    title: "files contain badges, but no key signs new ones",
    remedy: "Name a key in SIGNING_KEY_FILES (`keys new` creates one), and restart the service.",
  },
  "unpublished-key": {
    title: "a key that signs, or has signed, is not published",
    remedy:
      "Restart the service, which publishes the keys in SIGNING_KEY_FILES. If the file of a key is lost, restore its row in " +
      "issuer_keys from a backup; until then, badges that it has signed don't verify.",
  },
  "revoked-key": {
    title: "files contain badges signed by a revoked key, which verifiers reject",
    remedy: "Reissue these credentials: their learners get an email with the new file.",
  },
  "missing-fonts": {
    title: "names in scripts whose fonts are not installed here",
    remedy:
      "Run `npm run fonts` where the service is installed, and restart it; or upload a font for the script, and name it in the " +
      "options. Until then nothing is issued to these learners, and their credentials can't be generated again.",
    isWarning: true,
  },
  "mixed-small-capitals": {
    title: "credential whose document has ordinary letters among small capitals (ZERTIfIKAT)",
    remedy:
      "Version 1.0.0 printed it this way. The credential is valid. To replace the document, reissue the credential: the learner gets an " +
      "email with the new one.",
    isWarning: true,
  },
  "unlisted-issuer": {
    title: "an issuer that is in none of the registries: verifiers may call it unknown",
    remedy: "`issuer entry` prints what to send to a registry's operator: see `.docs/recognised-issuer.md`.",
    isWarning: true,
  },
  "misnamed-issuer": {
    title: "an issuer whose name in a registry differs from its badges",
    remedy:
      "Send the registry the new entry, which `issuer entry` prints, or set PLATFORM_NAME or ISSUERS_FILE to its name.",
    isWarning: true,
  },
  "unanswered-registry": {
    title: "a registry that can't be read",
    remedy: "Retry later. Verifiers may not be able to read it either.",
    isWarning: true,
  },
  "orphaned-file": {
    title: "a file that nothing refers to",
    remedy: "`doctor --repair` deletes it.",
  },
  "abandoned-draft": {
    title: "part of a file whose writing was interrupted",
    remedy: "It can't be read. `doctor --repair` deletes it.",
    isWarning: true,
  },
  "stray-file": {
    title: "a file of a credential that this database does not know",
    remedy:
      "Check that the database and the store belong together. `doctor --repair` deletes it, unless there are more such files " +
      "than known ones.",
  },
  "foreign-file": {
    title: "a file with a name that the service does not use",
    remedy: "Delete it, unless someone needs it.",
    isWarning: true,
  },
  "missing-kept-file": {
    title: "invalidated credential whose moved file is missing",
    remedy:
      "Nobody can download this file. `doctor --repair` generates it again if that gives the same bytes.",
    isWarning: true,
  },
} satisfies Record<string, FindingExplanation>;

export type FindingKind = keyof typeof explained;

/** Explanations of all findings, in the order of the report. */
export const explanations: Readonly<Record<FindingKind, FindingExplanation>> = explained;
