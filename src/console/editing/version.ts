/** The editable fields of a type or a configuration, each as the text in its field. */
export interface EditedFields {
  readonly name?: string;
  readonly retrievalFunc?: string;
  readonly generationFunc?: string;
  /** JSON. */
  readonly options: string;
}

export type FieldName = keyof EditedFields;

/** A version that the service has stored. */
export interface Version {
  readonly etag: string;
  readonly fields: EditedFields;
}

/** The edited fields, and the version on which they are based. */
export interface Draft {
  readonly base: Version;
  readonly fields: EditedFields;
  /** States for undo, the most recent one last. */
  readonly past?: readonly EditedFields[];
  /** Undone states for redo, the next one last. */
  readonly future?: readonly EditedFields[];
}
