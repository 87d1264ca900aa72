import type { ReactNode } from "react";
import type { CredentialType } from "#gen/learning_credentials/v1/configuration_pb.js";
import type { PreviewRequest } from "../components/design-preview.js";
import type { Choice } from "../components/picker.js";
import type { SavedOffer } from "../requirements/requirements.js";
import type { Revised } from "./history-dialog.js";
import type { EditedFields, Version } from "./version.js";

/** The object that is edited, and how it is saved. */
export interface Subject {
  /** Key of the draft in the tab's storage. */
  readonly draftName: string;
  readonly saved: Version;
  /** The configuration's type; undefined if a type is edited. */
  readonly type?: CredentialType;
  /** The filter for credentials issued by it; undefined if there are none. */
  readonly issued?: { readonly type: string } | { readonly configuration: string };
  /** The course or path whose learners get the credential. */
  readonly learningContextKey?: string;
  /** The object whose revisions exist; undefined if it is new. */
  readonly revised?: Revised;
  /** Initial course or path for testing requirements. */
  readonly tryIn?: Choice | undefined;
  /** Returns the configuration in a course or path; undefined if there is none yet. */
  offerIn?(learningContextKey: string): SavedOffer | undefined;
  readonly saveLabel: string;
  /** Explanation of what saving does. */
  readonly saveMeans: string;
  readonly optionsLabel: string;
  readonly optionsHelp?: string;
  /** Returns the preview request of the stored or the edited fields. */
  previewOf(fields: EditedFields, isStored: boolean): PreviewRequest;
  save(fields: EditedFields, etag: string): Promise<unknown>;
  /** Reads the stored object again. */
  refresh(): Promise<unknown>;
  asCode(fields: EditedFields, etag: string): ReactNode;
}
