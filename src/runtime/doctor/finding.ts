/** A fault that isn't the intermediate state of running work. */
export interface Finding {
  readonly kind: FindingKind;
  /** `uuid` of the credential; undefined if the finding concerns none. */
  readonly credentialUuid?: string;
  /** undefined if the finding concerns no file. */
  readonly fileKey?: string;
  /** Description of the fault. Contains ids and keys, never names. */
  readonly detail: string;
}

/** The meaning of a kind of finding, and its remedy. */
export interface Explanation {
  readonly title: string;
  readonly remedy: string;
  /** True if it does no harm; the exit code ignores it. */
  readonly isWarning?: true;
}

const explained = {
  "still-public": {
    title: "invalidated, but its file can still be downloaded",
    remedy: "`doctor --repair` moves the file.",
  },
  "erased-file": {
    title: "erased, but its file still exists",
    remedy: "`doctor --repair` deletes the file.",
  },
  "missing-file": {
    title: "available, but its file is missing",
    remedy:
      "`doctor --repair` generates the file again if that gives the same bytes; otherwise restore it from a backup, or reissue " +
      "the credential.",
  },
  "damaged-file": {
    title: "its file is not the one that was generated",
    remedy:
      "`doctor --repair` generates the file again if that gives the same bytes; otherwise restore it from a backup, or reissue " +
      "the credential.",
  },
  "lost-generation": {
    title: "generating, but no job will generate its file",
    remedy: "`doctor --repair` enqueues its job.",
  },
  "lost-move": {
    title: "invalidated, but no job will move its file",
    remedy: "`doctor --repair` enqueues its job.",
  },
  "altered-credential": {
    title: "its contents contradict its events",
    remedy:
      "It was changed outside the service: compare its row with a backup, and restore its contents, or invalidate it.",
  },
  "unrecorded-credential": {
    title: "no event records that it was issued or imported",
    remedy:
      "It was inserted outside the service, or issued by a version that did not record events yet. Find out which, and issue it again, or remove its row.",
  },
  "misdated-credential": {
    title: "its date is not that of its event",
    remedy: "It was changed outside the service: the time of the event is the true one.",
  },
  "lost-credential": {
    title: "it has events, but is missing",
    remedy: "It was removed outside the service: restore its row from a backup.",
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
    title: "events were removed that EVENT_RETENTION_DAYS keeps",
    remedy:
      "Compare them with a backup. If the setting was different then and you know the position and hash, `doctor --expect` with them accepts the removal.",
  },
  "contradicted-checkpoint": {
    title: "the events are not those of a checkpoint that was published",
    remedy:
      "Events, and all hashes after them, were changed outside the service: compare the events with a backup. If you restored a backup yourself, `log continue` starts a new log.",
  },
  "damaged-checkpoint": {
    title: "a checkpoint of the log, or its timestamp, does not verify, or is missing at one of two places",
    remedy:
      "The file store or the tables of the log were changed outside the service: restore them from a backup.",
  },
  "lost-checkpoint": {
    title: "a checkpoint that was published is not in the database",
    remedy:
      "Probably a backup was restored, and later events are lost: `log continue` starts a new log. Otherwise it was removed from the database: restore its row from a backup.",
  },
  "unpublished-events": {
    title: "events are in no checkpoint of the log, though more than a day has passed",
    remedy: "A worker publishes them: see its log. `log publish` does so at once, or says why it can't.",
    isWarning: true,
  },
  "restarted-log": {
    title: "the log was restarted, so an earlier log covers only some of the events",
    remedy:
      "If you had restored a backup then, or changed the key, nothing is wrong. Otherwise someone may have hidden a change: compare the events with a backup.",
    isWarning: true,
  },
  "renamed-actor": {
    title: "an actor has another name than when the event was recorded",
    remedy: "It was changed outside the service: compare credential_event_actors with a backup.",
  },
  "unsealed-events": {
    title: "events wait to be sealed, and are not in the chain yet",
    remedy: "A running service seals them: see its log. `doctor --repair` also seals them.",
  },
  "stalled-run": {
    title: "a run is running, but none of its credentials is generating",
    remedy: "A running worker ends it: see its log. `doctor --repair` also ends it.",
  },
  "lagging-webhook": {
    title: "a webhook endpoint misses events that are soon removed",
    remedy:
      "`webhooks attempts` shows what is wrong. Have its receiver repaired and enable the endpoint, raise EVENT_RETENTION_DAYS, or " +
      "delete the endpoint.",
  },
  "disabled-webhook": {
    title: "a webhook endpoint was disabled because its receiver failed for days",
    remedy: "Have its receiver repaired. Then `webhooks enable` continues where it stopped.",
    isWarning: true,
  },
  "silent-mail-server": {
    title: "the mail server accepts no email",
    remedy:
      "Emails wait until it does. Check the user, password and TLS of SMTP_URL, and whether the server can be reached from here.",
  },
  "late-webhook": {
    title: "a webhook endpoint does not get its events",
    remedy:
      "`webhooks attempts` shows what is wrong. If there were no attempts, start a worker that has WEBHOOK_SECRET.",
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
    title: "its file contains a badge that does not match its row",
    remedy:
      "The row or the file was changed outside the service: compare both with a backup and restore them, or reissue the credential.",
  },
  "mismatched-seal": {
    title: "its file's seal does not verify, or is not the one that was recorded",
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
    title: "its document has ordinary letters among small capitals (ZERTIfIKAT)",
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
    title: "a registry that can't be reached",
    remedy: "Retry later. Verifiers can't reach it either, and report that.",
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
    title: "invalidated, and its moved file is missing",
    remedy: "It could not be downloaded. `doctor --repair` generates it again if that gives the same bytes.",
    isWarning: true,
  },
} satisfies Record<string, Explanation>;

/** The kinds of faults that a diagnosis can find. */
export type FindingKind = keyof typeof explained;

/** Explanations in the order of the report. */
export const explanations: Readonly<Record<FindingKind, Explanation>> = explained;
