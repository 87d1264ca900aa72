import type { z } from "zod";
import type { GradingScale } from "#foundation/text/grading-scale.js";
import type { PreviewedDocument, PreviewMode } from "./layout.js";

/**
 * The contents of one credential. They are fixed when it is issued: the same facts and options always give
 * the same document.
 */
export interface CredentialFacts {
  userFullName: string;
  /** May contain line breaks; each starts a new line. */
  learningContextName: string;
  /** Whether it is the name of a learning path. Default: of a course. */
  isPath?: boolean;
  /** The title of the document, such as "Certificate of Achievement". */
  credentialType: string;
  /** The moment of issuing; it becomes the creation date of the file. */
  created: Date;
  /** `created` as it is printed. By default it is formatted by the settings, in the document's language. */
  issueDate?: string;
  verifyUuid: string;
  /** Absolute URL of the public verification page. */
  verifyUrl: string;
  /** The shortest URL of that page, without a scheme, for typing. By default `verifyUrl`. */
  verifyShortUrl?: string;
  platformName: string;
  /** BCP 47 tag of the document's language, unless the options state another. */
  language: string;
  settings?: PrintSettings;
  /** When the first in a chain of reissued credentials was issued; by default `created`. */
  awarded?: Date;
  /** A moment within the last day of validity, if there is one. */
  lastValid?: Date;
  /** The values that `particularsOf` asked for, as far as they are known. */
  particulars?: Particulars;
  /**
   * The Open Badge with the same statements, as signed JSON in ASCII. A document contains it for verifying
   * programs.
   */
  badge?: string;
  /** The place that a document leaves for its seal. */
  seal?: SealSlot;
}

/** The place for a seal, a signature over all the rest of a file. */
export interface SealSlot {
  /** When it is sealed; whole seconds. */
  readonly at: Date;
  /** Bytes of the signature at most. */
  readonly room: number;
}

/**
 * What a credential states beyond names and dates. It is stored with the credential as JSON, in this form.
 */
export interface Particulars {
  /** The institution's identifier of the learner. */
  readonly learner_id?: string;
  /** The total in the course, as a percentage. */
  readonly grade?: number;
  /** Percentages by assignment type, in lower case. */
  readonly grades?: Readonly<Record<string, number>>;
  /** How the grade is written; absent: as a percentage. */
  readonly scale?: GradingScale;
  /** The letter grade in the course, as the platform or a list writes it, such as `B+`. */
  readonly letter?: string;
  /** Whether the platform considers the course as passed. */
  readonly passed?: boolean;
  /** How much of the course is completed, as a percentage. */
  readonly completion?: number;
  /** Number of courses in the learning path. */
  readonly steps?: number;
  /** What the learning path is called in place of that. */
  readonly category?: string;
  /** Attributes of the learner's record, by key. */
  readonly learner?: Readonly<Record<string, string>>;
  /** Attributes of the enrolment in the course or learning path, by key. */
  readonly enrollment?: Readonly<Record<string, string>>;
  readonly hours?: number;
  readonly credits?: string;
  readonly signatory?: Signatory;
  /** What a list has given of it instead of records and options: a successor says it, too. */
  readonly given?: Omit<Particulars, "given">;
}

/** The person who signs. */
export interface Signatory {
  readonly name: string;
  readonly title?: string;
}

/** The particulars that documents print. */
export interface UsedParticulars {
  /** Particulars that the options themselves state. */
  readonly stated: Pick<Particulars, "hours" | "credits" | "signatory" | "scale">;
  /** Whether it prints hours, also those that no option states. */
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

/** How a service prints what the options of a credential leave open. Fixed together with the facts. */
export interface PrintSettings {
  readonly nameUppercase: boolean;
  readonly dateUppercase: boolean;
  /** In points. */
  readonly dateCharSpace: number;
  /** strftime pattern, as `formatDate` takes it. If undefined, each language uses its own format. */
  readonly dateFormat?: string | undefined;
  /** IANA name. */
  readonly timeZone: string;
  /** The edition of the service's words and typesetting; absent: the first. */
  readonly edition?: number;
}

/**
 * Edition of the words and typesetting of documents. A credential keeps the one with which it was issued, so that
 * corrections don't change documents that are generated again. Raise it with each change of how documents look.
 */
export const EDITION = 2;

/** Returns the edition of a document; documents without settings are of the latest one. */
export function editionOf(settings: PrintSettings | undefined): number {
  return settings ? (settings.edition ?? 1) : EDITION;
}

/** What a brand says of documents; empty texts: nothing. */
export interface DocumentBrand {
  /** `#rrggbb`, legible on white. */
  readonly accentColor: string;
  /** Slug of a PNG or JPEG asset. */
  readonly logo: string;
  readonly name: string;
  /** An email address, or an address with https. */
  readonly contact: string;
  /** An address with https: who is responsible, by law. */
  readonly imprintUrl: string;
}

export type AssetKind = "pdf" | "png" | "jpeg" | "svg" | "font";

/** A file of the institution, checked when it was uploaded. */
export interface Asset {
  readonly kind: AssetKind;
  readonly bytes: Uint8Array;
  /** SHA-256 of the bytes, in hex; it tells versions apart. */
  readonly sha256: string;
}

/** By slug. */
export type Assets = ReadonlyMap<string, Asset>;

/** Options as they are stored and sent: a JSON object. */
export type Options = { readonly [name: string]: unknown };

/** A reference to an asset in options, and the kinds that the asset may have. */
export interface AssetReference {
  readonly slug: string;
  readonly kinds: readonly AssetKind[];
  /** Path of the option, such as `text_elements.name.font`. */
  readonly option: string;
  /** Why only these kinds, where another option decides it, such as `pdf_a is true`. */
  readonly because?: string;
}

/** How to render a document that is not a credential. */
export interface RenderMode {
  /** Prints PREVIEW across the page. */
  readonly preview?: boolean;
}

/** The texts of a document that are known before it is issued. */
export type PrintedTexts = Pick<
  CredentialFacts,
  "userFullName" | "learningContextName" | "credentialType" | "platformName" | "particulars"
>;

/** The characters of a font: ascending ranges of code points, both ends included. */
export type CharacterRanges = readonly (readonly [first: number, last: number])[];

/**
 * Checks that texts can be printed.
 * @throws Problem `failed-precondition` naming a character and the text that contains it
 */
export type TextCheck = (texts: PrintedTexts) => void;

/** A function to which a credential type can refer: its name, and the options that it takes. */
export interface FunctionWithOptions {
  /** Dotted path, `<module_path>.<function_name>`. */
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** Strict schema of its options. */
  readonly options: z.ZodObject;
  /**
   * Checks complete options for what the schema can't express. Called when they are saved.
   * @throws Problem `invalid` naming the option
   */
  checkOptions?(options: Options): void;
  /**
   * Prepares a check of the texts of credentials under valid options. The check runs before they are issued.
   * @param fonts the characters of each font asset to which the options refer, by slug
   */
  textCheck?(options: Options, fonts: ReadonlyMap<string, CharacterRanges>): Promise<TextCheck>;
  /**
   * Returns what its documents print from records and options; nothing else is read and stored. Without this
   * method, they print nothing of it.
   */
  particularsOf?(options: Options): UsedParticulars;
  /** Returns the options that a brand sets, where valid options leave them open. Without this method: none. */
  brandOptions?(brand: DocumentBrand, options: Options): Options;
  /** Lists the assets that valid options need. */
  assetsOf?(options: Options): AssetReference[];
}

/** A generation function: turns the facts of a credential into a PDF. Every option has a default. */
export interface Generator extends FunctionWithOptions {
  /** True if its documents contain the badge from the facts. */
  readonly carriesBadge?: boolean;
  /** True if its documents leave the place for a seal from the facts. Documents of others are not sealed. */
  readonly carriesSeal?: boolean;
  /**
   * @param assets those that `assetsOf` lists
   * @returns the bytes of the PDF.
   * @throws Problem `invalid` for options outside the schema or an asset of the wrong kind;
   * `failed-precondition` for a character that no font has.
   */
  render(facts: CredentialFacts, options: Options, assets?: Assets, mode?: RenderMode): Promise<Uint8Array>;
  /**
   * Makes a document that is marked as a preview, and tells where everything lies on it. Without this method,
   * previews are made by `render` with `mode.preview`.
   */
  preview?(
    facts: CredentialFacts,
    options: Options,
    assets: Assets,
    mode: PreviewMode,
  ): Promise<PreviewedDocument>;
}
