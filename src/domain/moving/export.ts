import type { StatedSchedule } from "../configurations/schedules/schedule.js";

export interface ExportFiles {
  /** Sorted paths: a single file, or the files in a folder or an archive. */
  readonly names: readonly string[];
  /** Reads a file from the beginning. Can be called several times. */
  chunks(name: string): AsyncIterable<Uint8Array>;
}

/** A credential in an export. It is not validated yet. */
export interface ExportedCredential {
  readonly verifyUuid: string;
  /** UUID of the record, which API clients may have stored; empty if there is none. */
  readonly uuid: string;
  readonly legacyId: string;
  readonly aliases: readonly string[];
  /** Whether a code was left out of `aliases`, because the service refuses codes that are easy to guess. */
  readonly hasGuessableCode?: boolean;
  /** The username, or the email address by which the learner can be found. */
  readonly learner: { readonly username: string } | { readonly email: string };
  /** Empty to use the name in the learner's record. */
  readonly userFullName: string;
  /**
   * The name by which the map refers to the course or achievement: a course key, or a name or id in the other system.
   */
  readonly context: string;
  /** The context according to the export. The map can override it. */
  readonly learningContextKey?: string;
  readonly learningContextName?: string;
  readonly credentialType?: string;
  readonly issuer: string;
  readonly createdAt: Date;
  readonly validUntil: Date | null;
  /** `at` is null if the export does not contain it. */
  readonly invalidated: { readonly reason: string; readonly at: Date | null } | null;
  /** The PDF itself, or the paths where it may be. */
  readonly file: Uint8Array | readonly string[];
}

export interface ExportedRow {
  /** Number of the row in its file, from 1. */
  readonly number: number;
  /** Location of the row for messages, for example `row 12`. If there are several files, it includes the file name. */
  readonly location: string;
  /** The text of the row, without the PDF. */
  readonly text: string;
  /**
   * Returns the credential, or a sentence that says why the row must be left out.
   * @throws Problem `invalid` if the row can't be read
   */
  read(): ExportedCredential | string;
}

export interface Export {
  readonly assets: readonly ExportedAsset[];
  readonly types: readonly ExportedType[];
  readonly configurations: readonly ExportedConfiguration[];
  /** Can be called several times. */
  rows(): AsyncIterable<ExportedRow>;
}

export interface ExportedAsset {
  readonly slug: string;
  /** Path in the media folder. */
  readonly path: string;
}

interface ExportedType {
  readonly name: string;
  readonly retrievalFunc: string;
  readonly generationFunc: string;
  readonly customOptions: unknown;
}

export interface ExportedConfiguration {
  readonly learningContextKey: string;
  readonly credentialType: string;
  readonly customOptions: unknown;
  readonly schedule: ExportedSchedule | undefined;
}

/** A schedule, and how it differs from the schedule in the other system. */
export interface ExportedSchedule extends StatedSchedule {
  readonly changes: readonly string[];
}

export function onlyCredentials(rows: Export["rows"]): Export {
  return { assets: [], types: [], configurations: [], rows };
}
