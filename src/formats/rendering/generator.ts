import type { z } from "zod";
import type { GradingScale } from "#foundation/text/grading-scale.js";
import type { PreviewedDocument, PreviewMode } from "./layout.js";

/**
 * The contents of one credential, fixed at issuance. The same facts and options always produce the same document; in
 * one version of this service even the same bytes, unless the document is encrypted.
 */
export interface CredentialFacts {
  userFullName: string;
  /** May have several lines. */
  learningContextName: string;
  /** True if the context is a learning path, false for a course. */
  isPath?: boolean;
  /** Title of the document, for example "Certificate of Achievement". */
  credentialType: string;
  /** Time of issuance, and creation date of the file. */
  created: Date;
  /** `created` as printed. Default: in the format of the settings and the language of the document */
  issueDate?: string;
  verifyUuid: string;
  /** Absolute URL of the public verification page. */
  verifyUrl: string;
  /** Shortest URL of the verification page, without a scheme, for typing. Default: `verifyUrl` */
  verifyShortUrl?: string;
  platformName: string;
  /** BCP 47 tag of the document's language. Options can override it. */
  language: string;
  settings?: PrintSettings;
  /** When the first in a chain of reissued credentials was issued. Default: `created` */
  awarded?: Date;
  /** Any moment on the last day of validity; undefined if the credential never expires. */
  lastValid?: Date;
  /** The particulars that `particularsOf` requires, without those that are unknown. */
  particulars?: Particulars;
  /** The same facts as a signed Open Badge (JSON in ASCII), embedded for programs that verify documents. */
  badge?: string;
  /** The space to reserve for a seal. */
  seal?: SealSlot;
}

/** The space for a seal. A seal is a signature over the rest of the file. */
export interface SealSlot {
  /** Time of sealing, in whole seconds. */
  readonly at: Date;
  /** Maximum size of the signature in bytes. */
  readonly room: number;
}

/** Facts of a credential besides names and dates, in the form in which they are stored as JSON. */
export interface Particulars {
  /** The institution's identifier for the learner. */
  readonly learner_id?: string;
  /** The total course grade as a percentage. */
  readonly grade?: number;
  /** Percentages by assignment type. Types are in lower case. */
  readonly grades?: Readonly<Record<string, number>>;
  /** Scale on which grades are printed. Default: percentages */
  readonly scale?: GradingScale;
  /** Letter grade from the platform or a list, for example `B+`. */
  readonly letter?: string;
  /** Whether the platform regards the course as passed. */
  readonly passed?: boolean;
  /** Completed part of the course, as a percentage. */
  readonly completion?: number;
  /** Number of courses in the learning path. */
  readonly steps?: number;
  /** Word for "learning path", for example "Programme". */
  readonly category?: string;
  /** Attributes of the learner's record. */
  readonly learner?: Readonly<Record<string, string>>;
  /** Attributes of the enrolment. */
  readonly enrollment?: Readonly<Record<string, string>>;
  readonly hours?: number;
  readonly credits?: string;
  readonly signatory?: Signatory;
  /**
   * Values from an imported list of learners, which override values from records and options. Reissued credentials keep
   * these values.
   */
  readonly given?: Omit<Particulars, "given">;
}

interface Signatory {
  readonly name: string;
  readonly title?: string;
}

/** The particulars that a document prints. */
export interface UsedParticulars {
  readonly stated: Pick<Particulars, "hours" | "credits" | "signatory" | "scale">;
  /** True if hours are printed, even if no option states them. */
  readonly hours?: boolean;
  readonly learnerId: boolean;
  readonly grade: boolean;
  /** Assignment types, in lower case. */
  readonly grades: readonly string[];
  readonly letter: boolean;
  readonly passed: boolean;
  readonly completion: boolean;
  readonly steps: boolean;
  /** Keys of attributes. */
  readonly learner: readonly string[];
  readonly enrollment: readonly string[];
}

/**
 * Print settings for everything that a credential's options don't specify. They are fixed at issuance, together with
 * the facts.
 */
export interface PrintSettings {
  readonly nameUppercase: boolean;
  readonly dateUppercase: boolean;
  /** In points. */
  readonly dateCharSpace: number;
  /** strftime pattern for `formatDate`. Default: each language's own format */
  readonly dateFormat?: string | undefined;
  /** IANA name of the time zone. */
  readonly timeZone: string;
  /** Edition of words and typesetting. Default: the first */
  readonly edition?: number;
}

/**
 * Edition of documents' words and typesetting. A credential keeps the edition with which it was issued, so that
 * corrections don't change its documents. Increment this number with each change to the appearance of documents.
 */
export const EDITION = 2;

/** Returns the edition of a document. Documents without settings have the latest edition. */
export function editionOf(settings: PrintSettings | undefined): number {
  return settings ? (settings.edition ?? 1) : EDITION;
}

/** Branding for documents. Empty texts change no options. */
interface DocumentBrand {
  /** `#rrggbb`, legible on white. */
  readonly accentColor: string;
  /** Slug of a PNG or JPEG asset. */
  readonly logo: string;
  readonly name: string;
  /** An email address or https URL. */
  readonly contact: string;
  /** https URL of the legal notice. */
  readonly imprintUrl: string;
}

export type AssetKind = "pdf" | "png" | "jpeg" | "svg" | "font";

/** A file of the institution, checked on upload. */
export interface LoadedAsset {
  readonly kind: AssetKind;
  readonly bytes: Uint8Array;
  /** SHA-256 in hex, which distinguishes versions. */
  readonly sha256: string;
}

/** By slug. */
export type Assets = ReadonlyMap<string, LoadedAsset>;

/** Options as stored and sent. */
export type Options = { readonly [name: string]: unknown };

export interface AssetReference {
  readonly slug: string;
  readonly kinds: readonly AssetKind[];
  /** Path of the option, for example `text_elements.name.font`. */
  readonly option: string;
  /** Why only these kinds are allowed, if another option is the reason, for example `pdf_a is true`. */
  readonly because?: string;
}

export interface RenderMode {
  /** True to print PREVIEW across the page. */
  readonly preview?: boolean;
}

/** The texts that are known before issuance. */
export type PrintedTexts = Pick<
  CredentialFacts,
  "userFullName" | "learningContextName" | "credentialType" | "platformName" | "particulars"
>;

/** Ascending ranges of code points, both ends included. */
export type CharacterRanges = readonly (readonly [first: number, last: number])[];

/**
 * Checks that texts can be printed.
 * @throws Problem `failed-precondition` that names a character and the text that contains it
 */
export type TextCheck = (texts: PrintedTexts) => void;

/** A function that credential types can refer to. */
export interface FunctionWithOptions {
  /** Dotted path, `<module_path>.<function_name>`. */
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** Strict schema of the function's options. */
  readonly options: z.ZodObject;
  /**
   * When options are saved, checks the rules that the schema can't express. Called only for complete options.
   * @throws Problem `invalid` that names the option
   */
  checkOptions?(options: Options): void;
  /**
   * Prepares the check of texts that runs before credentials are issued.
   * @param options valid
   * @param fonts the characters of each font asset that the options refer to, by slug
   */
  textCheck?(options: Options, fonts: ReadonlyMap<string, CharacterRanges>): Promise<TextCheck>;
  /** Returns the particulars to read, store and print. Default: none */
  particularsOf?(options: Options): UsedParticulars;
  /** Returns the options that a brand sets if valid options don't specify them. Default: none */
  brandOptions?(brand: DocumentBrand, options: Options): Options;
  /** Lists the assets that valid options need. */
  assetsOf?(options: Options): AssetReference[];
}

/** Renders the facts of a credential as a PDF. Every option has a default. */
export interface Generator extends FunctionWithOptions {
  /** True if documents embed the badge from the facts. */
  readonly carriesBadge?: boolean;
  /** True if documents reserve space for the seal from the facts. Otherwise they are not sealed. */
  readonly carriesSeal?: boolean;
  /**
   * @param assets the assets that `assetsOf` lists
   * @returns the bytes of the PDF
   * @throws Problem `invalid` for options outside the schema or an asset of the wrong kind; `failed-precondition` for a
   * character that no font has
   */
  render(facts: CredentialFacts, options: Options, assets?: Assets, mode?: RenderMode): Promise<Uint8Array>;
  /** Renders a document that is marked as a preview, and returns its layout. Default: `render` with `mode.preview` */
  preview?(
    facts: CredentialFacts,
    options: Options,
    assets: Assets,
    mode: PreviewMode,
  ): Promise<PreviewedDocument>;
}
