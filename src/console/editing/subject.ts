import type { ReactNode } from "react";
import type { CredentialType } from "#gen/learning_credentials/v1/configuration_pb.js";
import type { PreviewRequest } from "../components/design-preview.js";
import type { Choice } from "../components/picker.js";
import type { SavedOffer } from "../requirements/requirements.js";
import type { Revised } from "./history-dialog.js";
import type { EditedFields, Version } from "./version.js";

/** What is edited, and how it is saved. */
export interface Subject {
  /** Names it among the drafts of a tab. */
  readonly draftName: string;
  readonly saved: Version;
  /** The type whose options these are; undefined if it is edited itself. */
  readonly type?: CredentialType;
  /** The search for what was issued by it before; undefined if nothing was. */
  readonly issued?: { readonly type: string } | { readonly configuration: string };
  /** The course or path whose learners get it. */
  readonly learningContextKey?: string;
  /** Whose earlier versions there are; undefined if it is new. */
  readonly revised?: Revised;
  /** Where requirements are tried at first. */
  readonly tryIn?: Choice | undefined;
  /** What it offers in a course or path; undefined: nothing is offered by it yet. */
  offerIn?(learningContextKey: string): SavedOffer | undefined;
  readonly saveLabel: string;
  /** What saving leads to. */
  readonly saveMeans: string;
  readonly optionsLabel: string;
  readonly optionsHelp?: string;
  /** The preview of what is stored, or of what is typed. */
  previewOf(fields: EditedFields, isStored: boolean): PreviewRequest;
  save(fields: EditedFields, etag: string): Promise<unknown>;
  /** Reads again what is stored. */
  refresh(): Promise<unknown>;
  asCode(fields: EditedFields, etag: string): ReactNode;
}
