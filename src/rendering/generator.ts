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
  /** `created` as it is printed, in the zone, language and format that the caller chose. */
  issueDate: string;
  verifyUuid: string;
  /** Absolute URL of the public verification page. */
  verifyUrl: string;
  platformName: string;
  /** BCP 47 tag of the document's language. */
  language: string;
}

/** A generation function: turns the facts of a credential into a PDF. */
export interface Generator {
  /** Dotted path by which credential types name it. */
  readonly name: string;
  readonly summary: string;
  /** Strict schema of its options; every option has a default. */
  readonly options: z.ZodObject;
  /**
   * @returns the bytes of the PDF.
   * @throws Problem `invalid` for options outside the schema, `failed-precondition` for a character that no font has.
   */
  render(facts: CredentialFacts, options: Record<string, unknown>): Promise<Uint8Array>;
}
