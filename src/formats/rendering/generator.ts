import type { z } from "zod";
import type { GradingScale } from "#foundation/text/grading-scale.js";
import type { PreviewedDocument, PreviewMode } from "./layout.js";

/**
 * The contents of one credential. They are fixed at issuance: the same facts and options always produce the same
 * document.
 */
export interface CredentialFacts {
  userFullName: string;
  /** Each line break in it starts a new line. */
  learningContextName: string;
  /** True if it is the name of a learning path, otherwise of a course. */
  isPath?: boolean;
  /** The title of the document, for example "Certificate of Achievement". */
  credentialType: string;
  /** The time of issuance, which is also the creation date of the file. */
  created: Date;
  /** `created` as printed. By default it is formatted by the settings, in the document's language. */
  issueDate?: string;
  verifyUuid: string;
  /** Absolute URL of the public verification page. */
  verifyUrl: string;
  /** The shortest URL of that page, without a scheme, for typing. The default is `verifyUrl`. */
  verifyShortUrl?: string;
  platformName: string;
  /** BCP 47 tag of the document's language, unless the options state another. */
  language: string;
  settings?: PrintSettings;
  /** When the first credential in a chain of reissued credentials was issued; the default is `created`. */
  awarded?: Date;
  /** A moment within the last day of validity, if there is one. */
  lastValid?: Date;
  /** The values that `particularsOf` requires, as far as they are known. */
  particulars?: Particulars;
  /**
   * The Open Badge with the same statements, as signed JSON in ASCII. Documents contain it for programs that verify
   * them.
   */
  badge?: string;
  /** The space that a document reserves for its seal. */
  seal?: SealSlot;
}

/** The space for a seal, which is a signature over the rest of the file. */
export interface SealSlot {
  /** Time of sealing, in whole seconds. */
  readonly at: Date;
  /** Maximum size of the signature in bytes. */
  readonly room: number;
}

/** Statements of a credential besides names and dates. They are stored with the credential as JSON in this form. */
export interface Particulars {
  /** The institution's identifier for the learner. */
  readonly learner_id?: string;
  /** The total course grade as a percentage. */
  readonly grade?: number;
  /** Percentages by assignment type, in lower case. */
  readonly grades?: Readonly<Record<string, number>>;
  /** The grading scale by which grades are printed; percentages if absent. */
  readonly scale?: GradingScale;
  /** The letter grade of the course as the platform or a list states it, for example `B+`. */
  readonly letter?: string;
  /** Whether the platform regards the course as passed. */
  readonly passed?: boolean;
  /** How much of the course is completed, as a percentage. */
  readonly completion?: number;
  /** Number of courses in the learning path. */
  readonly steps?: number;
  /** The word that documents print for "learning path", for example "Programme". */
  readonly category?: string;
  /** Attributes of the learner's record, by key. */
  readonly learner?: Readonly<Record<string, string>>;
  /** Attributes of the enrolment in the course or learning path, by key. */
  readonly enrollment?: Readonly<Record<string, string>>;
  readonly hours?: number;
  readonly credits?: string;
  readonly signatory?: Signatory;
  /** Values from an issue list, which override those from records and options. Reissued credentials keep them. */
  readonly given?: Omit<Particulars, "given">;
}

/** The person who signs. */
export interface Signatory {
  readonly name: string;
  readonly title?: string;
}

/** The particulars that a document prints. */
export interface UsedParticulars {
  /** Particulars that the options themselves state. */
  readonly stated: Pick<Particulars, "hours" | "credits" | "signatory" | "scale">;
  /** True if it prints hours, including hours that no option states. */
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
 * Print settings of the service for everything that a credential's options leave open. They are fixed together with the
 * facts.
 */
export interface PrintSettings {
  readonly nameUppercase: boolean;
  readonly dateUppercase: boolean;
  /** In points. */
  readonly dateCharSpace: number;
  /** strftime pattern for `formatDate`. If undefined, each language uses its own format. */
  readonly dateFormat?: string | undefined;
  /** IANA name of the time zone. */
  readonly timeZone: string;
  /** The edition of the service's words and typesetting; the first if absent. */
  readonly edition?: number;
}

/**
 * Edition of the words and typesetting of documents. A credential keeps the edition with which it was issued, so that
 * corrections don't change documents when they are generated again. Increment it with each change of how documents
 * look.
 */
export const EDITION = 2;

/** Returns the edition of a document. Documents without settings have the latest edition. */
export function editionOf(settings: PrintSettings | undefined): number {
  return settings ? (settings.edition ?? 1) : EDITION;
}

/** The parts of a brand that documents use. Empty texts set nothing. */
export interface DocumentBrand {
  /** `#rrggbb`, legible on white. */
  readonly accentColor: string;
  /** Slug of a PNG or JPEG asset. */
  readonly logo: string;
  readonly name: string;
  /** An email address or https URL. */
  readonly contact: string;
  /** An https URL of the legal notice. */
  readonly imprintUrl: string;
}

export type AssetKind = "pdf" | "png" | "jpeg" | "svg" | "font";

/** A file of the institution, which was checked on upload. */
export interface Asset {
  readonly kind: AssetKind;
  readonly bytes: Uint8Array;
  /** SHA-256 of the bytes in hex, which distinguishes versions. */
  readonly sha256: string;
}

/** Assets by slug. */
export type Assets = ReadonlyMap<string, Asset>;

/** Options as stored and sent: a JSON object. */
export type Options = { readonly [name: string]: unknown };

/** A reference to an asset in options, and the kinds that the asset may have. */
export interface AssetReference {
  readonly slug: string;
  readonly kinds: readonly AssetKind[];
  /** Path of the option, for example `text_elements.name.font`. */
  readonly option: string;
  /** The reason for the restriction to these kinds if another option causes it, for example `pdf_a is true`. */
  readonly because?: string;
}

/** How to render a document that isn't a credential. */
export interface RenderMode {
  /** True to print PREVIEW across the page. */
  readonly preview?: boolean;
}

/** The texts of a document that are known before issuance. */
export type PrintedTexts = Pick<
  CredentialFacts,
  "userFullName" | "learningContextName" | "credentialType" | "platformName" | "particulars"
>;

/** The characters of a font: ascending ranges of code points, both ends included. */
export type CharacterRanges = readonly (readonly [first: number, last: number])[];

/**
 * Checks that texts can be printed.
 * @throws Problem `failed-precondition` that names a character and the text that contains it
 */
export type TextCheck = (texts: PrintedTexts) => void;

/** A function that credential types can refer to, with its name and the options that it accepts. */
export interface FunctionWithOptions {
  /** Dotted path, `<module_path>.<function_name>`. */
  readonly name: string;
  /** Description in one sentence. */
  readonly summary: string;
  /** Strict schema of its options. */
  readonly options: z.ZodObject;
  /**
   * Checks complete options for rules that the schema can't express. It is called when options are saved.
   * @throws Problem `invalid` that names the option
   */
  checkOptions?(options: Options): void;
  /**
   * Prepares a check of the texts of credentials with valid options. The check runs before credentials are issued.
   * @param fonts the characters of each font asset that the options refer to, by slug
   */
  textCheck?(options: Options, fonts: ReadonlyMap<string, CharacterRanges>): Promise<TextCheck>;
  /**
   * Returns the particulars that its documents print. Other particulars are neither read nor stored. Generators without
   * this method print none.
   */
  particularsOf?(options: Options): UsedParticulars;
  /** Returns the options that a brand sets if valid options leave them open. Without this method, a brand sets none. */
  brandOptions?(brand: DocumentBrand, options: Options): Options;
  /** Lists the assets that valid options need. */
  assetsOf?(options: Options): AssetReference[];
}

/** A generation function, which renders the facts of a credential as a PDF. Every option has a default. */
export interface Generator extends FunctionWithOptions {
  /** True if its documents embed the badge from the facts. */
  readonly carriesBadge?: boolean;
  /**
   * True if its documents reserve the space for the seal in the facts. Documents of other generators are not sealed.
   */
  readonly carriesSeal?: boolean;
  /**
   * @param assets the assets that `assetsOf` lists
   * @returns the bytes of the PDF
   * @throws Problem `invalid` for options outside the schema or an asset of the wrong kind; `failed-precondition` for a
   *   character that no font has
   */
  render(facts: CredentialFacts, options: Options, assets?: Assets, mode?: RenderMode): Promise<Uint8Array>;
  /**
   * Renders a document that is marked as a preview, and returns its layout. Without this method, previews are rendered
   * by `render` with `mode.preview`.
   */
  preview?(
    facts: CredentialFacts,
    options: Options,
    assets: Assets,
    mode: PreviewMode,
  ): Promise<PreviewedDocument>;
}
