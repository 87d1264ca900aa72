import type { z } from "zod";
import type { Hint } from "../../learners/connector-hints.js";
import type { Person } from "../../learners/connector-people.js";
import type { PlainRecord } from "../../learners/plain-record.js";
import type { PoliteClient } from "./polite-client.js";

/** A kind of platform that the service can read. Plug-ins export their drivers as `connectors`. */
export interface ConnectorDriver {
  /** The `type` in the settings, for example `openedx`; for a plug-in, a dotted path. */
  readonly name: string;
  readonly summary: string;
  /** The driver's own settings, in addition to the settings of all connectors. */
  readonly settings: z.ZodObject;
  /** @param settings values that match the schema */
  open(settings: Record<string, unknown>, http: PoliteClient): Source;
}

/** A platform that is ready to be read. */
export interface Source {
  /** Stages in the order in which a sweep reads them. */
  readonly stages: readonly Stage[];
  /** Tries each endpoint once, and reports findings for an operator. */
  check(): AsyncIterable<CheckResult>;
  /**
   * Reads one learner again: the account, and the learner's data in a course if the target names one. Absent if the
   * driver only supports sweeps.
   */
  pull?(requested: Target, lookups: Lookups): Promise<RecordPage>;
  /** Processes the platform's messages until the signal aborts. Absent if the platform sends no messages. */
  follow?(sink: HintSink, signal: AbortSignal): Promise<void>;
}

/** Stores hints from streams of messages. */
export interface HintSink {
  /** The connector's id, after which the consumers of the streams are named. */
  readonly connector: string;
  /** Returns the id of the last message taken from the stream, or `undefined` if there is none. */
  lastProcessed(stream: string): Promise<string | undefined>;
  /** @param last id of the last message; undefined for messages that another consumer left unacknowledged */
  store(stream: string, hints: readonly Hint[], last: string | undefined): Promise<void>;
  /** Requests a sweep, because messages may have been lost. */
  reportGap(): Promise<void>;
  /** Counts a message by its outcome. @param id of the message, used only if it can't be decoded */
  count(outcome: "hint" | "ignored" | "undecodable", id: string): void;
  /** Logs the first error of an outage, and the end of the outage. @param error omitted if the connection is ready */
  noteConnection(error?: Error): void;
}

/** A part of a sweep, read page by page. */
export interface Stage {
  readonly name: string;
  /** Whether the stage is read once per sweep, or for each course or path that an earlier stage has listed. */
  readonly each: "sweep" | "course" | "path";
  /**
   * Whether the pages list all enrolments of the course or path. If so, enrolments that are not listed are withdrawn.
   */
  readonly listsEnrollments?: boolean;
  /** Whether the sweep continues if this stage fails. */
  readonly isOptional?: boolean;
  /** @param cursor null for the first page, otherwise `next` of the previous page */
  page(cursor: string | null, scope: Scope, lookups: Lookups): Promise<RecordPage>;
}

/** The course or path of a page. In a stage for the whole sweep, all fields are empty. */
export interface Scope {
  readonly contextKey: string;
  /** The platform's id of the course or path. */
  readonly externalId: string;
  readonly displayName: string;
}

/** Looks up data that the sweep has already read. */
export interface Lookups {
  /** Returns the given usernames whose accounts this sweep hasn't read yet. */
  unread(usernames: readonly string[]): Promise<string[]>;
  usernamesOf(externalIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  idsOf(usernames: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Returns keys of courses and paths by the platform's id. A key stays the same when a name changes. */
  keysOf(externalIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  subsectionsOf(courseKey: string): Promise<Subsection[]>;
}

export interface Subsection {
  readonly usageKey: string;
  readonly assignmentType: string;
  /** Possible points, for learners without an attempt; null if not known yet. */
  readonly possible: number | null;
}

/** A part of a stage, read with one or a few requests. */
export interface RecordPage {
  /** When the first request was sent. The platform's data may have changed since. */
  readonly requestedAt: Date;
  readonly records: readonly PlainRecord[];
  /** The cursor of the next page; null if this is the last page. */
  readonly next: string | null;
  /** Courses and paths that exist. */
  readonly contexts?: readonly Scope[];
  /** Accounts with their usernames. Records with a username that belongs to another account are ignored. */
  readonly people?: readonly Person[];
  /** Learners whose accounts were retired. */
  readonly gone?: readonly { readonly username: string; readonly since: Date }[];
  /** Which facts about the course are not known yet, and why. For operators: contains no names of people. */
  readonly withheld?: string;
  /** All graded subsections of the course. Grades in any other subsection are withdrawn. */
  readonly subsections?: readonly Omit<Subsection, "possible">[];
  /** Possible points of the subsections on this page. */
  readonly possible?: ReadonlyMap<string, number>;
  /** Whether the course doesn't track completion. If so, completion recorded earlier is withdrawn. */
  readonly hasNoCompletion?: boolean;
  /** Number of omitted rows, by reason. Reasons contain no names. */
  readonly leftOut?: Readonly<Record<string, number>>;
  /** The expected number of pages, if known. */
  readonly pages?: number;
}

/** The learner to read, by username or by the platform's id. */
export interface Target {
  readonly username: string;
  readonly externalId: string;
  /** If undefined, only the account is read. */
  readonly course: Scope | undefined;
}

export interface CheckResult {
  readonly what: string;
  readonly outcome: "ok" | "warning" | "failed";
  /** The finding, and what to do about it. */
  readonly text: string;
}
