import type { StatedSchedule } from "../configurations/schedules/schedule.js";

/** The files of an export: a single file, those of a folder, or those of an archive. */
export interface ExportFiles {
  /** Paths, sorted. */
  readonly names: readonly string[];
  /** Reads a file from the beginning; can be called several times. */
  chunks(name: string): AsyncIterable<Uint8Array>;
}

/** A credential as another system exports it. Its values have not been validated. */
export interface ExportedCredential {
  readonly verifyUuid: string;
  /** UUID of the record, which API clients may have stored; empty if there is none */
  readonly uuid: string;
  readonly legacyId: string;
  readonly aliases: readonly string[];
  /** The username, or the email address with which to find the learner. */
  readonly learner: { readonly username: string } | { readonly email: string };
  /** Empty: the name in the learner's record. */
  readonly userFullName: string;
  /**
   * The course or achievement of the credential, under the key used in the map: a course key, or a name or id in the
   * other system.
   */
  readonly context: string;
  /** The context according to the export; the map overrides it. */
  readonly learningContextKey?: string;
  readonly learningContextName?: string;
  readonly credentialType?: string;
  readonly issuer: string;
  readonly createdAt: Date;
  readonly validUntil: Date | null;
  /** `at` is null if the export does not contain it. */
  readonly invalidated: { readonly reason: string; readonly at: Date | null } | null;
  /** The PDF itself, or paths where it may be. */
  readonly file: Uint8Array | readonly string[];
}

/** One row of an export. */
export interface ExportedRow {
  /** Number of the row in its file, from 1. */
  readonly number: number;
  /** File name, if there are several files, and the row, for example `row 12`. */
  readonly location: string;
  /** The text of the row in the file, without the PDF. */
  readonly text: string;
  /**
   * @returns the credential, or a sentence saying why the row is left out, because it is not a learner's credential
   * @throws Problem `invalid` if the row can't be read
   */
  read(): ExportedCredential | string;
}

/** The contents of an export. */
export interface Export {
  readonly assets: readonly ExportedAsset[];
  readonly types: readonly ExportedType[];
  readonly configurations: readonly ExportedConfiguration[];
  /** Can be called several times. */
  rows(): AsyncIterable<ExportedRow>;
}

export interface ExportedAsset {
  readonly slug: string;
  /** Path of the asset's file in the media folder. */
  readonly path: string;
}

export interface ExportedType {
  readonly name: string;
  readonly retrievalFunc: string;
  readonly generationFunc: string;
  /** JSON, as text or as an object. */
  readonly customOptions: unknown;
}

export interface ExportedConfiguration {
  readonly learningContextKey: string;
  readonly credentialType: string;
  readonly customOptions: unknown;
  readonly schedule: ExportedSchedule | undefined;
}

/** A schedule, with its differences from the other system's. */
export interface ExportedSchedule extends StatedSchedule {
  readonly changes: readonly string[];
}

/** Returns an export without designs. */
export function onlyCredentials(rows: Export["rows"]): Export {
  return { assets: [], types: [], configurations: [], rows };
}
