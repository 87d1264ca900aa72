import { createHistory, type History, type Span } from "./history.js";
import { wrong } from "./wrong-answer.js";

/** The data that the platform has reported about a learner in one transaction. */
export interface Progress {
  readonly fullName: string;
  /** Points in the only exam, out of 10. */
  readonly earned: number;
  /** Completion of the course, from 0 to 1. */
  readonly completion: number;
  readonly isEnrolled: boolean;
  readonly isInPath: boolean;
}

/** A credential configuration of the soak test. It never changes. */
export interface Offer {
  readonly configurationId: number;
  readonly credentialTypeId: number;
  readonly credentialType: string;
  readonly learningContextKey: string;
  readonly learningContextName: string;
  isEarnedBy(progress: Progress): boolean;
}

export type Status = "generating" | "available" | "error" | "invalidated";

/** The data about a credential in a response. Some responses contain less. */
export interface Reported {
  readonly uuid: string;
  readonly username: string;
  readonly configurationId: number;
  readonly status: Status;
  /** Facts that are fixed once they are known. */
  readonly facts: Readonly<Record<string, string | number>>;
  readonly userFullName?: string;
  readonly invalidationReason?: string;
  /** Empty if there is no replacement. */
  readonly replacedByUuid?: string;
}

/**
 * The knowledge about a credential. Each time is the earliest at which something was certain, or Infinity if it is not
 * known.
 */
export interface Known {
  readonly uuid: string;
  /** Undefined if only an event has mentioned the credential. */
  username?: string;
  configurationId?: number;
  readonly facts: Map<string, string | number>;
  thereBy: number;
  availableBy: number;
  invalidatedBy: number;
  replacedBy?: { readonly uuid: string; readonly by: number };
  /** Whether the response to an issuing request has contained the credential. */
  isNamed: boolean;
}

/** A request to invalidate a credential. */
export interface Invalidation {
  readonly uuid: string | undefined;
  readonly reason: string;
  readonly isReissue: boolean;
  readonly begun: number;
  isRefused: boolean;
}

/** A request that may have created a credential of one learner under one configuration. */
export interface Issuing {
  readonly begun: number;
  isRefused: boolean;
  /** The UUID of the credential in the response. Undefined if there was no response or the outcome is unknown. */
  answer: string | undefined;
}

/** A run, which may have created a credential for every learner under its configuration. */
export interface Run {
  readonly begun: number;
  /** The run does not include learners who were first reported after this time. */
  closed: number;
  isRefused: boolean;
  /** Undefined if there was no response. */
  plan: ReadonlySet<string> | undefined;
}

/** A learner's credentials under one configuration. */
export interface Slot {
  readonly issuings: Issuing[];
  readonly credentials: Known[];
  /** A credential existed from this time on, because the response to the start of a run says so. */
  promisedBy: number;
}

export interface Learner {
  /** The time when the learner was first reported. */
  readonly begun: number;
  readonly progressHistory: History<Progress>;
  readonly invalidations: Invalidation[];
  readonly slots: Map<number, Slot>;
}

/** The knowledge about learners and credentials from the responses so far. It also checks new responses. */
export type Knowledge = ReturnType<typeof createKnowledge>;

export function createKnowledge(offers: readonly Offer[]) {
  const learners = new Map<string, Learner>();
  const credentials = new Map<string, Known>();
  const placed: Known[] = [];
  const runs = new Map<number, Run[]>(offers.map(({ configurationId }) => [configurationId, []]));
  const offerOf = new Map(offers.map((offer) => [offer.configurationId, offer]));

  function learner(username: string): Learner {
    return learners.get(username) ?? wrong(`there is no learner ${username}`);
  }

  function enter(username: string, at: number): Learner {
    const known = learners.get(username);
    if (known) return known;
    const added: Learner = {
      begun: at,
      progressHistory: createHistory(),
      invalidations: [],
      slots: new Map(),
    };
    for (const { configurationId } of offers) {
      added.slots.set(configurationId, {
        issuings: [],
        credentials: [],
        promisedBy: Number.POSITIVE_INFINITY,
      });
    }
    learners.set(username, added);
    return added;
  }

  function slotOf(username: string, configurationId: number): Slot {
    return learner(username).slots.get(configurationId) ?? wrong(`nobody offers ${configurationId}`);
  }

  /** Finds a credential, or adds one that an event has mentioned first. Events contain no learner. */
  function knownByUuid(uuid: string): Known {
    const known = credentials.get(uuid);
    if (known) return known;
    const never = Number.POSITIVE_INFINITY;
    const added: Known = {
      uuid,
      facts: new Map(),
      thereBy: never,
      availableBy: never,
      invalidatedBy: never,
      isNamed: false,
    };
    credentials.set(uuid, added);
    return added;
  }

  function invalidationsOf({ uuid, username }: Known, until: number): Invalidation[] {
    if (username === undefined) return [];
    return learner(username).invalidations.filter(
      (each) => !each.isRefused && each.begun <= until && (each.uuid ?? uuid) === uuid,
    );
  }

  const mayBeInvalidated = (known: Known, until: number) =>
    known.invalidatedBy <= until || invalidationsOf(known, until).length > 0;

  /** Whether the credential is certainly in force during the whole span. */
  const isSurelyInForce = (known: Known, { from, to }: Span) =>
    known.thereBy <= from && !mayBeInvalidated(known, to);

  const surelyInForce = (slot: Slot, span: Span) =>
    slot.credentials.find((known) => isSurelyInForce(known, span));

  const runsFor = (username: string, configurationId: number, until: number) =>
    (runs.get(configurationId) ?? []).filter(
      (run) =>
        !run.isRefused &&
        run.begun <= until &&
        (run.plan?.has(username) ?? learner(username).begun <= run.closed),
    );

  /**
   * Checks that each credential that no response has contained can be the result of a different unanswered attempt.
   */
  function checkExplained(username: string, configurationId: number, until: number): void {
    const slot = slotOf(username, configurationId);
    const unnamed = slot.credentials.filter(({ isNamed }) => !isNamed);
    const open = slot.issuings.filter(
      ({ isRefused, answer, begun }) => !isRefused && answer === undefined && begun <= until,
    );
    const most = open.length + runsFor(username, configurationId, until).length;
    if (unnamed.length <= most) return;
    wrong(
      `${username} has ${unnamed.length} credentials under ${configurationId} that nobody was told to have issued, and ` +
        `at most ${most} attempts can have issued one: ${unnamed.map(({ uuid }) => uuid).join(", ")}`,
    );
  }

  /** Assigns a newly seen credential to its learner and configuration. */
  function place(known: Known, { username, configurationId, userFullName }: Reported, span: Span): void {
    if (known.username !== undefined) {
      if (known.username !== username || known.configurationId !== configurationId)
        wrong(`${known.uuid} was ${known.username}'s under ${known.configurationId}`);
      return;
    }
    const slot = slotOf(username, configurationId);
    const other = surelyInForce(slot, span);
    if (other)
      wrong(`${username} has ${other.uuid} in force under ${configurationId} already: this one is a double`);
    const begun = [...slot.issuings, ...runsFor(username, configurationId, span.to)]
      .filter(({ isRefused }) => !isRefused)
      .map((each) => each.begun);
    if (userFullName !== undefined) {
      const names = learner(username)
        .progressHistory.possible({ from: Math.min(span.from, ...begun), to: span.to })
        .map(({ value }) => value.fullName);
      if (!names.includes(userFullName)) wrong(`the name can only be ${names.join(" or ")}`);
    }
    known.username = username;
    known.configurationId = configurationId;
    slot.credentials.push(known);
    placed.push(known);
  }

  function fix(known: Known, facts: Reported["facts"]): void {
    for (const [name, value] of Object.entries(facts)) {
      const before = known.facts.get(name);
      if (before !== undefined && before !== value)
        wrong(`${name} of ${known.uuid} is ${value}, and was ${before}`);
      known.facts.set(name, value);
    }
  }

  function checkStatus(known: Known, status: Status, reason: string | undefined, { from, to }: Span): void {
    const { uuid, availableBy, invalidatedBy } = known;
    if (status === "error") wrong(`${uuid} has failed`);
    if (status !== "invalidated" && invalidatedBy <= from) wrong(`${uuid} was invalidated before`);
    if (status === "generating" && availableBy <= from) wrong(`${uuid} was available before`);
    if (status !== "invalidated") return;
    const requested = invalidationsOf(known, to);
    if (requested.length === 0 && invalidatedBy > to) wrong(`nobody has asked to invalidate ${uuid}`);
    if (reason === undefined) return;
    if (!requested.some((each) => each.reason === reason))
      wrong(`it can only be invalidated for ${requested.map((each) => each.reason).join(" or ")}`);
    fix(known, { invalidationReason: reason });
  }

  function learnStatus(known: Known, status: Status, at: number): void {
    known.thereBy = Math.min(known.thereBy, at);
    if (status === "available" || status === "invalidated")
      known.availableBy = Math.min(known.availableBy, at);
    if (status === "invalidated") known.invalidatedBy = Math.min(known.invalidatedBy, at);
  }

  function see(reported: Reported, span: Span): Known {
    const { uuid, username, configurationId, status, replacedByUuid } = reported;
    const known = knownByUuid(uuid);
    place(known, reported, span);
    if (!known.isNamed) checkExplained(username, configurationId, span.to);
    checkStatus(known, status, reported.invalidationReason, span);
    fix(
      known,
      reported.userFullName === undefined
        ? reported.facts
        : { ...reported.facts, userFullName: reported.userFullName },
    );
    if (replacedByUuid) {
      if (known.replacedBy && known.replacedBy.uuid !== replacedByUuid)
        wrong(`${uuid} was replaced by ${known.replacedBy.uuid}`);
      known.replacedBy ??= { uuid: replacedByUuid, by: span.to };
    } else if (replacedByUuid === "" && known.replacedBy && known.replacedBy.by <= span.from) {
      wrong(`${uuid} was replaced by ${known.replacedBy.uuid} before`);
    }
    learnStatus(known, status, span.to);
    return known;
  }

  /** Records the credential that the response to an issuing request contains. */
  function name(issuing: Issuing, reported: Reported, span: Span): Known {
    const slot = slotOf(reported.username, reported.configurationId);
    const other = slot.credentials.find(
      (known) => known.uuid !== reported.uuid && isSurelyInForce(known, span),
    );
    if (other && reported.status !== "invalidated")
      wrong(`${reported.username} has ${other.uuid} in force already`);
    const known = see(reported, span);
    known.isNamed = true;
    issuing.answer = reported.uuid;
    checkExplained(reported.username, reported.configurationId, span.to);
    return known;
  }

  const mayBeGenerating = (known: Known, { from }: Span) => known.availableBy > from;

  return {
    learners,
    credentials,
    placed,
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
    fix,
    checkStatus,
    learnStatus,
    see,
    name,
  };
}
