import type { Span } from "./history.js";
import type { Knowledge, Known, Offer, Progress, Reported, Status } from "./knowledge.js";
import { wrong } from "./wrong-answer.js";

/** Judges the responses to calls that only read, and learns from them. */
export function createAnswers(knowledge: Knowledge) {
  const {
    learners,
    credentials,
    placed,
    offerOf,
    learner,
    slotOf,
    knownByUuid,
    invalidationsOf,
    mayBeInvalidated,
    mayBeGenerating,
    surelyInForce,
    fix,
    checkStatus,
    learnStatus,
    see,
  } = knowledge;
  return {
    usernames: () => [...learners.keys()],
    known: (uuid: string): Known | undefined => credentials.get(uuid),
    /** The credentials whose learner is known, in the order in which they became known. */
    placed: placed as readonly Known[],
    /** All credentials that a response or an event has mentioned. */
    credentials: (): readonly Known[] => [...credentials.values()],
    credentialsOf: (username: string): Known[] =>
      [...learner(username).slots.values()].flatMap((slot) => slot.credentials),

    /** The records of the learner that were sent last. */
    progressOf: (username: string): Progress | undefined => learners.get(username)?.progressHistory.latest(),

    /**
     * Judges a response that depends on a learner's records. The response is right if it fits one of the possible
     * records.
     */
    seeProgress(username: string, span: Span, fits: (progress: Progress) => boolean): Progress {
      const { progressHistory } = learner(username);
      const possible = progressHistory.possible(span);
      const fitting = possible.find(({ value }) => fits(value));
      if (!fitting) {
        if (possible.length === 0 || !progressHistory.isThere(span.from))
          wrong(`${username} is not known yet`);
        return wrong(`none of these fits: ${JSON.stringify(possible.map(({ value }) => value))}`);
      }
      progressHistory.settle(fitting.number, span.to);
      return fitting.value;
    },

    see,

    /** Judges a response that contains only the status of a credential, the reason, and facts that never change. */
    seeStatus(
      uuid: string,
      status: Status,
      reason: string | undefined,
      facts: Reported["facts"],
      span: Span,
    ): void {
      const known = knownByUuid(uuid);
      checkStatus(known, status, reason, span);
      fix(known, facts);
      learnStatus(known, status, span.to);
    },

    /** Learns from an event that a credential had reached a status. */
    seeEvent(uuid: string, status: Status, at: number): void {
      const known = knownByUuid(uuid);
      const isRequested = known.username === undefined || invalidationsOf(known, at).length > 0;
      if (status === "error") wrong(`${uuid} has failed`);
      if (status === "invalidated" && !isRequested) wrong(`nobody has asked to invalidate ${uuid}`);
      learnStatus(known, status, at);
    },

    /** Judges the success of a call that requires an available credential. */
    seeAvailable(uuid: string, span: Span): void {
      const known = knownByUuid(uuid);
      checkStatus(known, "available", undefined, span);
      learnStatus(known, "available", span.to);
    },

    /** Judges the bytes of a downloaded file. */
    seeFile(uuid: string, facts: { fileSha256: string; fileSize: number }): void {
      fix(knownByUuid(uuid), facts);
    },

    /**
     * Returns a credential that had the status during the whole span but is not among those shown. Undefined if none is
     * missing.
     */
    missingFrom(status: Status, shown: ReadonlySet<string>, { from, to }: Span): Known | undefined {
      return placed.find((known) => {
        if (shown.has(known.uuid)) return false;
        if (status === "invalidated") return known.invalidatedBy <= from;
        return status === "available" && known.availableBy <= from && !mayBeInvalidated(known, to);
      });
    },

    /** Judges the refusal of an earlier download link, which must not be refused while the credential is available. */
    seeFileGone(uuid: string, { to }: Span): void {
      if (!mayBeInvalidated(knownByUuid(uuid), to)) wrong(`${uuid} is available`);
    },

    /** Judges a verification that did not find the credential. */
    seeUnverified(uuid: string, { from }: Span): void {
      const known = knownByUuid(uuid);
      if (known.availableBy <= from) wrong(`${uuid} could be verified before`);
    },

    /** Judges the refusal of a call that requires an available credential. */
    seeNotAvailable(uuid: string, span: Span): void {
      const known = knownByUuid(uuid);
      if (!mayBeGenerating(known, span) && !mayBeInvalidated(known, span.to)) wrong(`${uuid} is available`);
    },

    /** Judges a list of all credentials of a learner, or of those under one configuration. */
    seeAllOf(
      username: string,
      configurationId: number | undefined,
      all: readonly Reported[],
      span: Span,
    ): void {
      for (const reported of all) {
        if (reported.username !== username) wrong(`${reported.uuid} is not ${username}'s`);
        see(reported, span);
      }
      const shown = new Set(all.map(({ uuid }) => uuid));
      for (const [id, slot] of learner(username).slots) {
        if (configurationId !== undefined && configurationId !== id) continue;
        const missing = slot.credentials.find(
          ({ uuid, thereBy }) => thereBy <= span.from && !shown.has(uuid),
        );
        if (missing) wrong(`${missing.uuid} is missing`);
        if (slot.promisedBy <= span.from && !all.some((reported) => reported.configurationId === id))
          wrong(`a run has issued one under ${id}, and it is missing`);
      }
      const inForce = all.filter(({ status }) => status !== "invalidated");
      const held = new Set(inForce.map((reported) => reported.configurationId));
      if (held.size < inForce.length) wrong(`${username} has two in force at once`);
    },

    /** Judges which credential in force a response shows for a learner. Undefined if the response shows none. */
    seeInForce(username: string, configurationId: number, reported: Reported | undefined, span: Span): void {
      if (reported) {
        see(reported, span);
        return;
      }
      const slot = slotOf(username, configurationId);
      const missing = surelyInForce(slot, span);
      if (missing) wrong(`${missing.uuid} is in force`);
      const mayBeGone = learner(username).invalidations.some(
        (each) => each.begun <= span.to && !each.isRefused,
      );
      if (slot.promisedBy <= span.from && !mayBeGone) wrong(`a run has issued one under ${configurationId}`);
    },

    /** Judges a list of all learners eligible under a configuration. */
    seeEligible(configurationId: number, usernames: readonly string[], span: Span): void {
      const listed = new Set(usernames);
      if (listed.size < usernames.length) wrong("somebody is listed twice");
      const offer = offerOf.get(configurationId) as Offer;
      for (const [username, { progressHistory }] of learners) {
        const possible = progressHistory.possible(span).map(({ value }) => offer.isEarnedBy(value));
        if (
          listed.has(username)
            ? !possible.includes(true)
            : progressHistory.isThere(span.from) && !possible.includes(false)
        )
          wrong(`${username} is ${listed.has(username) ? "not eligible" : "missing"}`);
      }
    },
  };
}
