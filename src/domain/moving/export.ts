import type { StatedSchedule } from "../configurations/schedules/schedule.js";

/** The files of an export: one, those of a folder, or those of an archive. */
export interface ExportFiles {
  /** Paths, in order. */
  readonly names: readonly string[];
  /** Reads a file from its beginning; may be called again. */
  chunks(name: string): AsyncIterable<Uint8Array>;
}

/** A credential as another system exports it. Its texts are not checked yet. */
export interface ExportedCredential {
  readonly verifyUuid: string;
  /** UUID of the record, which clients may have stored; empty: none */
  readonly uuid: string;
  readonly legacyId: string;
  readonly aliases: readonly string[];
  /** The username, or the email address by which the learner is found. */
  readonly learner: { readonly username: string } | { readonly email: string };
  /** Empty: the name in the learner's record. */
  readonly userFullName: string;
  /** What it was issued for, as the map names it: a course key, or a name or id in the other system. */
  readonly context: string;
  /** What the export says of the context itself; the map overrides it. */
  readonly learningContextKey?: string;
  readonly learningContextName?: string;
  readonly credentialType?: string;
  readonly issuer: string;
  readonly createdAt: Date;
  readonly validUntil: Date | null;
  /** `at` is null if the export does not say it. */
  readonly invalidated: { readonly reason: string; readonly at: Date | null } | null;
  /** The PDF itself, or paths at which it may be. */
  readonly file: Uint8Array | readonly string[];
}

/** A row of an export. */
export interface ExportedRow {
  /** Counted from 1, within the file. */
  readonly number: number;
  /** Name of the file, if there are several, and the row's place in it, such as `row 12`. */
  readonly location: string;
  /** The row as the file has it, without its PDF. */
  readonly text: string;
  /**
   * @returns a sentence why it is left out, for rows that are no credentials of learners
   * @throws Problem `invalid` if the row can't be read
   */
  read(): ExportedCredential | string;
}

/** What an export has. */
export interface Export {
  readonly assets: readonly ExportedAsset[];
  readonly types: readonly ExportedType[];
  readonly configurations: readonly ExportedConfiguration[];
  /** May be called again. */
  rows(): AsyncIterable<ExportedRow>;
}

export interface ExportedAsset {
  readonly slug: string;
  /** Path of its file below the media folder. */
  readonly path: string;
}

export interface ExportedType {
  readonly name: string;
  readonly retrievalFunc: string;
  readonly generationFunc: string;
  /** JSON, as a text or as an object. */
  readonly customOptions: unknown;
}

export interface ExportedConfiguration {
  readonly learningContextKey: string;
  readonly credentialType: string;
  readonly customOptions: unknown;
  readonly schedule: ExportedSchedule | undefined;
}

/** A schedule, and what is different from the other system's. */
export interface ExportedSchedule extends StatedSchedule {
  readonly changes: readonly string[];
}

/** An export without designs. */
export function onlyCredentials(rows: Export["rows"]): Export {
  return { assets: [], types: [], configurations: [], rows };
}
