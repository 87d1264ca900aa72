import type { z } from "zod";

/** What one credential says. Fixed when it is issued: the same facts and options always give the same document. */
export interface CredentialFacts {
  userFullName: string;
  /** May hold line breaks: each starts a new line. */
  learningContextName: string;
  /** The title of the document, such as "Certificate of Achievement". */
  credentialType: string;
  /** The moment of issuing; becomes the creation date of the file. */
  created: Date;
  /** `created` as it is printed; by default made from it by the settings, in the document's language. */
  issueDate?: string;
  verifyUuid: string;
  /** Absolute URL of the public verification page. */
  verifyUrl: string;
  /** The same place in as few characters as can be, without a scheme: to be typed. By default `verifyUrl`. */
  verifyShortUrl?: string;
  platformName: string;
  /** BCP 47 tag of the document's language, where the options name no other. */
  language: string;
  settings?: PrintSettings;
  /** When the first of a line of reissued credentials was issued; by default `created`. */
  awarded?: Date;
  /** What `particularsOf` asked for, as far as it is known. */
  particulars?: Particulars;
  /** The Open Badge that says the same, as signed JSON in ASCII: a document carries it for verifiers that are programs. */
  badge?: string;
}

/** What a credential says beyond names and dates. Kept with it as JSON, in this form. */
export interface Particulars {
  /** By what the institution knows the learner. */
  readonly learner_id?: string;
  /** A percentage: the total in the course. */
  readonly grade?: number;
  /** Percentages by assignment type, in lower case. */
  readonly grades?: Readonly<Record<string, number>>;
  /** Attributes of the learner's record, by key. */
  readonly learner?: Readonly<Record<string, string>>;
  /** The same of the enrolment in the course or learning path. */
  readonly enrollment?: Readonly<Record<string, string>>;
  readonly hours?: number;
  readonly credits?: string;
  readonly signatory?: Signatory;
}

/** Who signs. */
export interface Signatory {
  readonly name: string;
  readonly title?: string;
}

/** Which particulars documents print. */
export interface UsedParticulars {
  /** Those that the options themselves state. */
  readonly stated: Pick<Particulars, "hours" | "credits" | "signatory">;
  readonly learnerId: boolean;
  readonly grade: boolean;
  /** Assignment types, in lower case. */
  readonly grades: readonly string[];
  /** Keys of attributes. */
  readonly learner: readonly string[];
  readonly enrollment: readonly string[];
}

/** How a service prints where the options of a credential don't say otherwise. Fixed with the facts. */
export interface PrintSettings {
  readonly nameUppercase: boolean;
  readonly dateUppercase: boolean;
  /** In points. */
  readonly dateCharSpace: number;
  /** strftime; what `formatDate` takes. Undefined: each language's own. */
  readonly dateFormat?: string | undefined;
  /** IANA name. */
  readonly timeZone: string;
}

export type AssetKind = "pdf" | "png" | "jpeg" | "svg" | "font";

/** A file of the institution, checked when it was uploaded. */
export interface Asset {
  readonly kind: AssetKind;
  readonly bytes: Uint8Array;
  /** Of the bytes, in hex: tells one version from another. */
  readonly sha256: string;
}

/** By slug. */
export type Assets = ReadonlyMap<string, Asset>;

/** An asset that options name, and what it may be there. */
export interface AssetReference {
  readonly slug: string;
  readonly kinds: readonly AssetKind[];
  /** Where in the options, such as `text_elements.name.font`. */
  readonly option: string;
}

/** How a document is rendered that is not a credential. */
export interface RenderMode {
  /** Prints PREVIEW across the page. */
  readonly preview?: boolean;
}

/** What a document prints that is known before it is issued. */
export type PrintedTexts = Pick<
  CredentialFacts,
  "userFullName" | "learningContextName" | "credentialType" | "platformName" | "particulars"
>;

/** The characters of a font: ascending ranges of code points, both ends included. */
export type CharacterRanges = readonly (readonly [first: number, last: number])[];

/**
 * Tells whether texts can be printed.
 * @throws Problem `failed-precondition` naming a character and the text that has it
 */
export type TextCheck = (texts: PrintedTexts) => void;

/** A generation function: turns the facts of a credential into a PDF. */
export interface Generator {
  /** Dotted path by which credential types name it. */
  readonly name: string;
  readonly summary: string;
  /** Strict schema of its options; every option has a default. */
  readonly options: z.ZodObject;
  /**
   * What the schema can't say about complete options, asked when they are saved.
   * @throws Problem `invalid` naming the option
   */
  checkOptions?(options: Record<string, unknown>): void;
  /**
   * Prepares a check of texts with valid options, made before credentials are issued.
   * @param fonts the characters of each font asset that the options name, by slug
   */
  textCheck?(
    options: Record<string, unknown>,
    fonts: ReadonlyMap<string, CharacterRanges>,
  ): Promise<TextCheck>;
  /** What its documents print of records and options; only that is read and kept. Without it: nothing. */
  particularsOf?(options: Record<string, unknown>): UsedParticulars;
  /** The assets that valid options need. */
  assetsOf?(options: Record<string, unknown>): AssetReference[];
  /**
   * @param assets those that `assetsOf` names
   * @returns the bytes of the PDF.
   * @throws Problem `invalid` for options outside the schema or an asset that is not what it should be,
   *   `failed-precondition` for a character that no font has.
   */
  render(
    facts: CredentialFacts,
    options: Record<string, unknown>,
    assets?: Assets,
    mode?: RenderMode,
  ): Promise<Uint8Array>;
}
