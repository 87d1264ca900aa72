import type { Span } from "./history.js";
import type { Issuing, Knowledge, Known, Offer, Progress, Reported, Run, Slot } from "./knowledge.js";
import { wrong } from "./wrong-answer.js";

/** How long a request without a response may still take effect. */
const LATEST_MS = 10_000;

/** Records every request before it is sent, and judges the outcome. */
export function createAttempts(knowledge: Knowledge) {
  const {
    learners,
    credentials,
    runs,
    offerOf,
    learner,
    enter,
    slotOf,
    knownByUuid,
    invalidationsOf,
    mayBeInvalidated,
    mayBeGenerating,
    isSurelyInForce,
    surelyInForce,
    runsFor,
    learnStatus,
    see,
    name,
  } = knowledge;
  return {
    startReport(username: string, progress: Progress, at: number): number {
      return enter(username, at).progressHistory.begin(progress, at);
    },

    settleReport(username: string, number: number, at: number): void {
      learner(username).progressHistory.settle(number, at);
    },

    /** @param verifyUuid the UUID of an imported credential */
    beginIssuing(username: string, configurationId: number, at: number, verifyUuid?: string) {
      const issuing: Issuing = { begun: at, isRefused: false, answer: undefined };
      slotOf(username, configurationId).issuings.push(issuing);
      return {
        refused() {
          issuing.isRefused = true;
        },
        /** Records that the credential was imported with a UUID that the response did not contain. */
        imported(span: Span) {
          const slot = slotOf(username, configurationId);
          const other = slot.credentials.find(
            (known) => known.facts.get("verifyUuid") !== verifyUuid && isSurelyInForce(known, span),
          );
          if (other) wrong(`${username} has ${other.uuid} in force already`);
          slot.promisedBy = Math.min(slot.promisedBy, span.to);
        },
        /** Judges a refusal because the learner has a credential in force. */
        refusedAsTaken(span: Span) {
          issuing.isRefused = true;
          const slot = slotOf(username, configurationId);
          const mayBeTaken =
            slot.credentials.length > 0 ||
            slot.issuings.some((each) => each !== issuing && !each.isRefused) ||
            runsFor(username, configurationId, span.to).length > 0;
          if (!mayBeTaken) wrong(`${username} has none`);
        },
        /** Judges a refusal because the learner is not eligible. */
        refusedAsIneligible(span: Span) {
          issuing.isRefused = true;
          const inForce = surelyInForce(slotOf(username, configurationId), span);
          if (inForce) wrong(`${inForce.uuid} is in force: it is the answer`);
          const offer = offerOf.get(configurationId) as Offer;
          const possible = learner(username).progressHistory.possible(span);
          if (possible.every(({ value }) => offer.isEarnedBy(value))) wrong(`${username} is eligible`);
        },
        answered(reported: Reported, span: Span): Known {
          if (reported.username !== username || reported.configurationId !== configurationId)
            wrong("it is another one");
          const isNew = credentials.get(reported.uuid)?.username === undefined;
          const others = slotOf(username, configurationId).issuings.filter((each) => each !== issuing);
          const offer = offerOf.get(configurationId) as Offer;
          const possible = learner(username).progressHistory.possible(span);
          const isAlone = others.length === 0 && runsFor(username, configurationId, span.to).length === 0;
          if (isNew && isAlone && !possible.some(({ value }) => offer.isEarnedBy(value)))
            wrong(`${username} is not eligible`);
          if (reported.status === "invalidated") wrong("it is not in force");
          return name(issuing, reported, span);
        },
      };
    },

    /** @param uuid undefined for all available credentials of the learner */
    beginInvalidation(username: string, uuid: string | undefined, reason: string, at: number) {
      const invalidation = { uuid, reason, isReissue: false, begun: at, isRefused: false };
      learner(username).invalidations.push(invalidation);
      return {
        refused() {
          invalidation.isRefused = true;
        },
        refusedAsItIs(span: Span) {
          invalidation.isRefused = true;
          const known = knownByUuid(uuid ?? "");
          if (!mayBeGenerating(known, span) && !mayBeInvalidated(known, span.to))
            wrong(`${uuid} is available`);
        },
        answered(reported: Reported, span: Span) {
          if (
            reported.uuid !== uuid ||
            reported.status !== "invalidated" ||
            reported.invalidationReason !== reason
          )
            wrong("it says something else");
          see(reported, span);
        },
        /** Judges how many credentials were invalidated according to the response. */
        counted(count: number, span: Span) {
          const all = [...learner(username).slots.values()].flatMap((slot) => slot.credentials);
          const others = (known: Known) =>
            invalidationsOf(known, span.to).some((each) => each !== invalidation);
          const sure = all.filter((known) => known.availableBy <= span.from && !others(known));
          if (count < sure.length) wrong(`${sure.map((known) => known.uuid).join(", ")} were available`);
          for (const known of sure) {
            if (known.invalidatedBy > span.from) learnStatus(known, "invalidated", span.to);
          }
        },
      };
    },

    beginReissue(known: Known, reason: string, at: number) {
      const username = known.username as string;
      const configurationId = known.configurationId as number;
      const invalidation = { uuid: known.uuid, reason, isReissue: true, begun: at, isRefused: false };
      const issuing: Issuing = { begun: at, isRefused: false, answer: undefined };
      learner(username).invalidations.push(invalidation);
      slotOf(username, configurationId).issuings.push(issuing);
      const refused = () => {
        invalidation.isRefused = true;
        issuing.isRefused = true;
      };
      return {
        refused,
        refusedAsItIs(span: Span) {
          refused();
          const isWithdrawn = invalidationsOf(known, span.to).some((each) => !each.isReissue);
          if (!mayBeGenerating(known, span) && !isWithdrawn) wrong(`${known.uuid} can be reissued`);
        },
        answered(reported: Reported, replacesUuid: string, span: Span) {
          if (reported.username !== username || reported.configurationId !== configurationId)
            wrong("it is another one");
          if (replacesUuid !== known.uuid) wrong(`it is not in place of ${known.uuid}`);
          if (known.replacedBy && known.replacedBy.uuid !== reported.uuid)
            wrong(`${known.uuid} was replaced by ${known.replacedBy.uuid}`);
          // The old credential is recorded first, because the new one can only be issued afterwards.
          learnStatus(known, "invalidated", span.to);
          known.replacedBy ??= { uuid: reported.uuid, by: span.to };
          name(issuing, reported, span);
        },
      };
    },

    beginRun(configurationId: number, at: number) {
      const run: Run = { begun: at, closed: Number.POSITIVE_INFINITY, isRefused: false, plan: undefined };
      runs.get(configurationId)?.push(run);
      return {
        refused() {
          run.isRefused = true;
        },
        /** Records that the response was lost. */
        lost(now: number) {
          run.closed = now + LATEST_MS;
        },
        /** Judges the plan of a run. A dry run is also recorded with `beginRun`, and afterwards as refused. */
        planned(usernames: readonly string[], span: Span) {
          run.plan = new Set(usernames);
          const offer = offerOf.get(configurationId) as Offer;
          for (const [username, { progressHistory, slots }] of learners) {
            const slot = slots.get(configurationId) as Slot;
            const possible = progressHistory.possible(span);
            const isPlanned = run.plan.has(username);
            const isSurelyEligible =
              progressHistory.isThere(span.from) && possible.every(({ value }) => offer.isEarnedBy(value));
            const isFree =
              slot.credentials.length === 0 &&
              slot.issuings.every(({ isRefused }) => isRefused) &&
              runsFor(username, configurationId, span.to).every((each) => each === run);
            if (!isPlanned && isSurelyEligible && isFree) wrong(`${username} is missing`);
            if (!isPlanned) continue;
            if (!possible.some(({ value }) => offer.isEarnedBy(value))) wrong(`${username} is not eligible`);
            const has = slot.credentials.find(({ thereBy }) => thereBy <= span.from);
            if (has) wrong(`${username} has or had ${has.uuid}`);
            if (slot.promisedBy <= span.from) wrong(`${username} was issued one by an earlier run`);
          }
          const unknown = usernames.find((username) => !learners.has(username));
          if (unknown) wrong(`there is no learner ${unknown}`);
        },
        /** Records that each learner in the plan has a credential now. */
        done(span: Span) {
          for (const username of run.plan ?? []) {
            const slot = slotOf(username, configurationId);
            slot.promisedBy = Math.min(slot.promisedBy, span.to);
          }
        },
      };
    },
  };
}
