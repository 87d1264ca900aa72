import type { z } from "zod";
import type { PlainRecord } from "../../learners/plain-record.js";
import type { PoliteClient } from "./polite-client.js";

/** A kind of platform that the service can read. Plug-ins export their drivers as `connectors`. */
export interface ConnectorDriver {
  /** The `type` in the settings: for example `openedx`, or a dotted path for the driver of a plug-in. */
  readonly name: string;
  readonly summary: string;
  /** The driver's own settings, in addition to those that all connectors have. */
  readonly settings: z.ZodObject;
  /** @param settings values that match the schema */
  open(settings: Record<string, unknown>, http: PoliteClient): Source;
}

/** One platform, ready to be read. */
export interface Source {
  /** The stages, in the order in which a sweep reads them. */
  readonly stages: readonly Stage[];
  /** Tries each endpoint once, and reports what an operator has to know or do. */
  check(): AsyncIterable<CheckResult>;
  /**
   * Reads one learner again, either in one course or only the account. Absent if the driver can only read in sweeps.
   */
  pull?(requested: Target, lookups: Lookups): Promise<Page>;
  /** Follows the messages of the platform until the signal aborts. Absent if the platform sends none. */
  follow?(sink: HintSink, signal: AbortSignal): Promise<void>;
}

/** A message that something may have changed about a learner, in one course or in the account alone. */
export interface Hint {
  /** Empty if only the platform's id of the learner is known. */
  readonly username: string;
  readonly externalId: string;
  readonly courseKey: string;
}

/** Stores the hints found in messages, which arrive in streams. */
export interface HintSink {
  /** The id of the connector. Its consumers are named after it. */
  readonly connector: string;
  /** Returns the id of the last message taken from a stream; undefined if there is none. */
  lastTaken(stream: string): Promise<string | undefined>;
  /** @param last id of the last message; undefined for messages that another consumer left unacknowledged */
  take(stream: string, hints: readonly Hint[], last: string | undefined): Promise<void>;
  /** Requests a sweep because messages may have been lost. */
  gap(): Promise<void>;
  /** Counts a message by its outcome. @param id of the message, for those that can't be decoded */
  count(outcome: "hint" | "ignored" | "undecodable", id: string): void;
}

/** A part of a sweep, read page by page. */
export interface Stage {
  readonly name: string;
  /** Whether the stage is read once per sweep, or for each course or path that was listed before. */
  readonly each: "sweep" | "course" | "path";
  /**
   * Whether its pages together list all enrolments of the course or path. Only then are absent enrolments withdrawn.
   */
  readonly listsEnrollments?: boolean;
  /** Whether the sweep can continue if the stage fails for one course, or for the platform as a whole. */
  readonly isOptional?: boolean;
  /** @param cursor null for the first page, otherwise `next` of the previous page */
  page(cursor: string | null, scope: Scope, lookups: Lookups): Promise<Page>;
}

/** The course or path that a page is about. All fields are empty in a stage for the whole sweep. */
export interface Scope {
  readonly contextKey: string;
  /** The platform's id of it. */
  readonly externalId: string;
  readonly displayName: string;
}

/** Lets a driver look up what is known so far. */
export interface Lookups {
  /** Returns the usernames among these whose accounts this sweep hasn't read yet. */
  unread(usernames: readonly string[]): Promise<string[]>;
  /** Returns the usernames of the accounts that are known, by the platform's id. */
  usernamesOf(externalIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Returns the platform's ids of the accounts that are known, by username. */
  idsOf(usernames: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Returns the keys of courses and paths, by the platform's id. A key stays the same when a name changes. */
  keysOf(externalIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Returns the graded subsections of a course, as listed by its policy. */
  subsectionsOf(courseKey: string): Promise<Subsection[]>;
}

/** A graded subsection. */
export interface Subsection {
  readonly usageKey: string;
  readonly assignmentType: string;
  /** Points for learners who have not attempted it; null if not known yet. */
  readonly possible: number | null;
}

/** The result of one request, or of a few that belong together. */
export interface Page {
  /** When the first request was sent. The data may have changed since. */
  readonly requestedAt: Date;
  readonly records: readonly PlainRecord[];
  /** The cursor of the next page; null after the last one. */
  readonly next: string | null;
  /** Courses and paths that exist. */
  readonly contexts?: readonly Scope[];
  /**
   * Accounts and their usernames, as of this page. Records under a name that belongs to another account are left out.
   */
  readonly people?: readonly Person[];
  /** Usernames of learners whose accounts were retired. */
  readonly gone?: readonly { readonly username: string; readonly since: Date }[];
  /** Which facts about the course are not known yet, and why. For operators, so it contains no names of people. */
  readonly withheld?: string;
  /** All subsections of the course that contribute to the grade. Grades in any other subsection are withdrawn. */
  readonly subsections?: readonly Omit<Subsection, "possible">[];
  /** Maximum points of subsections found on this page. */
  readonly possible?: ReadonlyMap<string, number>;
  /** Whether the course doesn't track completion, or no longer does. Completion known from earlier is withdrawn. */
  readonly hasNoCompletion?: boolean;
  /** The number of rows that were left out, by reason. Reasons contain no names. */
  readonly leftOut?: Readonly<Record<string, number>>;
  /** The expected number of pages, if known. */
  readonly pages?: number;
}

export interface Person {
  readonly externalId: string;
  readonly username: string;
}

/** A learner, by username or by the platform's id, and the course to read. */
export interface Target {
  readonly username: string;
  readonly externalId: string;
  /** If undefined, only the account is read. */
  readonly course: Scope | undefined;
}

/** One finding of `check`. */
export interface CheckResult {
  readonly what: string;
  readonly outcome: "ok" | "warning" | "failed";
  /** What was found, and what to do about it. */
  readonly text: string;
}
