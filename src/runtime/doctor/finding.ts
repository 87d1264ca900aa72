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
    remedy: "`doctor --repair` does so.",
  },
  "altered-credential": {
    title: "its contents contradict its events",
    remedy:
      "Somebody has changed it behind the service's back: compare its row with a backup, and restore its contents, or " +
      "invalidate it.",
  },
  "unrecorded-credential": {
    title: "no event records that it was issued or imported",
    remedy:
      "Somebody has inserted it behind the service's back, or a version older than events has issued it. Find " +
      "out which, and issue it again, or remove its row.",
  },
  "misdated-credential": {
    title: "its date is not that of its event",
    remedy: "Somebody has set it behind the service's back: the time of the event is the true one.",
  },
  "lost-credential": {
    title: "it has events, but is missing",
    remedy: "Somebody has removed it behind the service's back: restore its row from a backup.",
  },
  "impossible-event": {
    title: "an event that can't follow the previous one",
    remedy:
      "Somebody has written it, or changed the credential, behind the service's back: compare both with a backup.",
  },
  "broken-event-chain": {
    title: "the events are not the ones that were sealed",
    remedy:
      "Somebody has changed them behind the service's back: compare them with a backup. Nothing can repair the chain.",
  },
  "other-history": {
    title: "an event is not the one that was recorded elsewhere",
    remedy:
      "After restoring a backup, later events differ. Otherwise somebody with the owner's rights has recomputed the " +
      "chain: compare it with a backup.",
  },
  "removed-events": {
    title: "events were removed that EVENT_RETENTION_DAYS keeps",
    remedy:
      "Compare them with a backup. If the setting was another one then, and you know the position and hash: `doctor --expect` " +
      "with them accepts the removal.",
  },
  "contradicted-checkpoint": {
    title: "the events are not those of a checkpoint that was published",
    remedy:
      "Somebody has changed events behind the service's back, with all hashes after them: compare the events with a backup. " +
      "If you have restored a backup yourself, `log continue` begins a new log.",
  },
  "damaged-checkpoint": {
    title: "a checkpoint of the log, or its timestamp, does not verify, or is missing at one of two places",
    remedy:
      "Somebody has changed the file store, or the tables of the log, behind the service's back: restore what was there from a " +
      "backup.",
  },
  "lost-checkpoint": {
    title: "a checkpoint that was published is not in the database",
    remedy:
      "Probably a backup was restored: what came after it is lost. `log continue` begins a new log. Otherwise somebody has " +
      "removed it from the database: restore its row from a backup.",
  },
  "unpublished-events": {
    title: "events are in no checkpoint of the log, though more than a day has passed",
    remedy: "A worker publishes them: see its log. `log publish` does so at once, or says why it can't.",
    isWarning: true,
  },
  "restarted-log": {
    title: "the log was begun anew, so an earlier one vouches for some of the events only",
    remedy:
      "If you had restored a backup then, or changed the key, nothing is wrong. Otherwise somebody may have hidden a change: " +
      "compare the events with a backup.",
    isWarning: true,
  },
  "renamed-actor": {
    title: "an actor has another name than when the event was recorded",
    remedy:
      "Somebody has changed it behind the service's back: compare credential_event_actors with a backup.",
  },
  "unsealed-events": {
    title: "events wait to be sealed, and are not in the chain yet",
    remedy: "A running service seals them: see its log. `doctor --repair` seals them, too.",
  },
  "stalled-run": {
    title: "a run is running, but none of its credentials is generating",
    remedy: "A running worker ends it: see its log. `doctor --repair` ends it, too.",
  },
  "lagging-webhook": {
    title: "a webhook endpoint misses events that are soon removed",
    remedy:
      "`webhooks attempts` says what is wrong. Have its receiver repaired and enable the endpoint, raise EVENT_RETENTION_DAYS, or " +
      "delete the endpoint.",
  },
  "disabled-webhook": {
    title: "a webhook endpoint was disabled, because its receiver had failed for days",
    remedy: "Have its receiver repaired; then `webhooks enable` goes on where it had stopped.",
    isWarning: true,
  },
  "silent-mail-server": {
    title: "the mail server accepts no email",
    remedy:
      "Mails wait until it does. Check the user, password and TLS of SMTP_URL, and whether the server can be reached from here.",
  },
  "late-webhook": {
    title: "a webhook endpoint does not get its events",
    remedy:
      "`webhooks attempts` says what is wrong. If it was not tried, start a worker that has WEBHOOK_SECRET.",
    isWarning: true,
  },
  "asynchronous-standbys": {
    title: "the database has standbys, but no change waits for one",
    remedy:
      "If a standby takes over, changes that callers were told of may be missing, and events may get other positions. Set " +
      "synchronous_standby_names (synchronous_mode of Patroni). If no standby is ever to take over, ignore this.",
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
      "Somebody has changed the row or the file behind the service's back: compare both with a backup, and restore what was " +
      "there, or reissue the credential.",
  },
  "mismatched-seal": {
    title: "its file's seal does not verify, or is not the one that was recorded",
    remedy:
      "Somebody has changed the file or credential_seals behind the service's back: compare both with a backup, and restore " +
      "what was there, or reissue the credential.",
  },
  "ended-seal": {
    title: "the certificates of seals have ended, so readers of PDFs don't confirm them any more",
    remedy:
      "Nothing else has changed: page and badge go on to vouch. Reissue these credentials if their seals matter to somebody; " +
      "with TSA_URLS, seals last longer.",
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
    title: "files contain badges signed by a revoked key, which verifiers refuse",
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
      "Version 1.0.0 printed it so. It is valid as it is. To replace the document, reissue the credential: the learner gets an " +
      "email with the new one.",
    isWarning: true,
  },
  "unlisted-issuer": {
    title: "an issuer that is in none of the registries: verifiers may call it unknown",
    remedy:
      "`issuer entry` prints what to send to those who run a registry: see `.docs/recognised-issuer.md`.",
    isWarning: true,
  },
  "misnamed-issuer": {
    title: "an issuer that a registry names otherwise than its badges do",
    remedy:
      "Send the registry the new entry, which `issuer entry` prints, or set PLATFORM_NAME or ISSUERS_FILE to its name.",
    isWarning: true,
  },
  "unanswered-registry": {
    title: "a registry that can't be asked",
    remedy: "Try again later. Verifiers can't ask it either, and say so.",
    isWarning: true,
  },
  "orphaned-file": {
    title: "a file to which nothing refers",
    remedy: "`doctor --repair` deletes it.",
  },
  "abandoned-draft": {
    title: "part of a file whose writing was interrupted",
    remedy: "Nobody can read it. `doctor --repair` deletes it.",
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
    remedy: "Delete it, unless somebody needs it.",
    isWarning: true,
  },
  "missing-kept-file": {
    title: "invalidated, and its moved file is missing",
    remedy: "Nobody could download it. `doctor --repair` generates it again if that gives the same bytes.",
    isWarning: true,
  },
} satisfies Record<string, Explanation>;

/** The kinds of faults that a diagnosis can find. */
export type FindingKind = keyof typeof explained;

/** Explanations in the order of the report. */
export const explanations: Readonly<Record<FindingKind, Explanation>> = explained;
