import type { ReactNode } from "react";
import type { CredentialType } from "#gen/learning_credentials/v1/configuration_pb.js";
import type { PreviewRequest } from "../components/design-preview.js";
import type { Choice } from "../components/picker.js";
import type { SavedOffer } from "../requirements/requirements.js";
import type { RevisionSource } from "./history-dialog.js";
import type { EditedFields, Version } from "./version.js";

interface SavedVersion extends Version {
  /** Key of the draft from now on, if the object was created. */
  readonly draftName?: string;
  /** Opens the page of the created object. */
  open?(): Promise<unknown>;
}

/** The type or configuration that is edited, and how it is saved. */
export interface Subject {
  /** Key of the draft in the tab's storage. */
  readonly draftName: string;
  readonly saved: Version;
  /** The type of the configuration; undefined if a type is edited. */
  readonly type?: CredentialType;
  /** Filter for the issued credentials; undefined if the subject hasn't been saved yet. */
  readonly issued?: { readonly type: string } | { readonly configuration: string };
  /** The course or path whose learners get the credential; undefined for a type. */
  readonly learningContextKey?: string;
  /** Identifies the revisions of the subject; undefined if the subject is new. */
  readonly revised?: RevisionSource;
  /** The course or path in which the requirements are tested at first. */
  readonly tryIn?: Choice | undefined;
  /** Returns the subject's configuration in a course or path, if there is one. */
  offerIn?(learningContextKey: string): SavedOffer | undefined;
  /** Offers the saved type in a course or path; undefined if it is already offered, or the user may not offer it. */
  readonly onOffer?: (() => void) | undefined;
  readonly saveLabel: string;
  readonly saveMeans: string;
  readonly optionsLabel: string;
  readonly optionsHelp?: string;
  /** Returns the preview request for the fields. `isStored` says whether they are saved. */
  previewOf(fields: EditedFields, isStored: boolean): PreviewRequest;
  save(fields: EditedFields, etag: string): Promise<SavedVersion>;
  refresh(): Promise<unknown>;
  asCode(fields: EditedFields, etag: string): ReactNode;
}
