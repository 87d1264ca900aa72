import type { z } from "zod";
import type { PlainRecord } from "../../learners/plain-record.js";
import type { PoliteClient } from "./polite-client.js";

/** A kind of platform. Plug-ins export such drivers as `connectors`. */
export interface ConnectorDriver {
  /** The `type` in the settings: `openedx`, or a dotted path for a plug-in's. */
  readonly name: string;
  readonly summary: string;
  /** The driver's own settings, besides those of every connector. */
  readonly settings: z.ZodObject;
  /** @param settings values that fit the schema */
  open(settings: Record<string, unknown>, http: PoliteClient): Source;
}

/** One platform, ready to be read. */
export interface Source {
  /** In the order of a sweep. */
  readonly stages: readonly Stage[];
  /** Tries each endpoint once, and tells what an operator has to know or do. */
  check(): AsyncIterable<CheckResult>;
  /** Reads one learner again, in one course or the account only. Absent if the driver reads only in sweeps. */
  pull?(requested: Target, lookups: Lookups): Promise<Page>;
  /** Follows the messages of the platform until the signal aborts. Absent: it sends none. */
  follow?(sink: HintSink, signal: AbortSignal): Promise<void>;
}

/** Something may have changed about a learner: in one course, or about the account alone. */
export interface Hint {
  /** Empty if only the platform's id is known. */
  readonly username: string;
  readonly externalId: string;
  readonly courseKey: string;
}

/** Keeps what messages hint at. They arrive in streams. */
export interface HintSink {
  /** The connector's id, which names its consumers. */
  readonly connector: string;
  /** Returns the id of the last message that was taken from a stream. */
  lastTaken(stream: string): Promise<string | undefined>;
  /** @param last id of the last message; undefined for messages that another consumer has left */
  take(stream: string, hints: readonly Hint[], last: string | undefined): Promise<void>;
  /** Messages may have been lost: a sweep is requested. */
  gap(): Promise<void>;
  /** Counts a message. @param id of one that can't be decoded */
  count(outcome: "hint" | "ignored" | "undecodable", id: string): void;
}

/** A part of a sweep, which is read page by page. */
export interface Stage {
  readonly name: string;
  /** What it is read for: once, or for each course or path that was listed before. */
  readonly each: "sweep" | "course" | "path";
  /**
   * Whether its pages together list all enrolments of the course or path. Only then an absent one is
   * withdrawn.
   */
  readonly listsEnrollments?: boolean;
  /** Whether the sweep can go on when it fails for one course, or for the platform as a whole. */
  readonly isOptional?: boolean;
  /** @param cursor null for the first page, else `next` of the page before */
  page(cursor: string | null, scope: Scope, lookups: Lookups): Promise<Page>;
}

/** The course or path of a page. Both are empty in a stage for the whole sweep. */
export interface Scope {
  readonly contextKey: string;
  /** What the platform calls it. */
  readonly externalId: string;
  readonly displayName: string;
}

/** What a driver can ask about what is known so far. */
export interface Lookups {
  /** Returns those of the usernames whose accounts this sweep has not read yet. */
  unread(usernames: readonly string[]): Promise<string[]>;
  /** Returns the usernames of accounts, as far as they are known. */
  usernamesOf(externalIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Returns the ids of accounts by username, as far as they are known. */
  idsOf(usernames: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Returns the keys under which courses and paths are read, by the platform's id. A key stays when a name changes. */
  keysOf(externalIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Returns the graded subsections of a course, as its policy has listed them. */
  subsectionsOf(courseKey: string): Promise<Subsection[]>;
}

/** A graded subsection. */
export interface Subsection {
  readonly usageKey: string;
  readonly assignmentType: string;
  /** Points of those who have not attempted it; null if they are not known yet. */
  readonly possible: number | null;
}

/** What one request, or a few that belong together, have reported. */
export interface Page {
  /** When the first request was sent: what the records tell may have changed since. */
  readonly requestedAt: Date;
  readonly records: readonly PlainRecord[];
  /** Where the next page begins; null after the last one. */
  readonly next: string | null;
  /** Courses and paths that there are. */
  readonly contexts?: readonly Scope[];
  /** Accounts and their usernames, as of this page. Records of a name that belongs to another are left out. */
  readonly people?: readonly Person[];
  /** Usernames of learners who were retired. */
  readonly gone?: readonly { readonly username: string; readonly since: Date }[];
  /** What can't be known of the course yet, and why: for an operator, and without names of people. */
  readonly withheld?: string;
  /** All graded subsections of the course that count. Grades in others are withdrawn. */
  readonly subsections?: readonly Omit<Subsection, "possible">[];
  /** Points of subsections, as learned with this page. */
  readonly possible?: ReadonlyMap<string, number>;
  /** Whether the course has no completion, or no longer: what is known of it is withdrawn. */
  readonly hasNoCompletion?: boolean;
  /** What was not taken, and how often: a reason without names. */
  readonly leftOut?: Readonly<Record<string, number>>;
  /** The expected number of pages, if it is known. */
  readonly pages?: number;
}

export interface Person {
  readonly externalId: string;
  readonly username: string;
}

/** A learner, by name or by the platform's own id, and the course in which to look. */
export interface Target {
  readonly username: string;
  readonly externalId: string;
  /** Empty: only the account. */
  readonly course: Scope | undefined;
}

/** What `check` has found. */
export interface CheckResult {
  readonly what: string;
  readonly outcome: "ok" | "warning" | "failed";
  /** What it means, and what to do. */
  readonly text: string;
}
