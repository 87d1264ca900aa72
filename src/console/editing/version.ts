/** What can be edited of a type or a configuration, each part as the text of its field. */
export interface EditedFields {
  readonly name?: string;
  readonly retrievalFunc?: string;
  readonly generationFunc?: string;
  /** JSON. */
  readonly options: string;
}

export type FieldName = keyof EditedFields;

/** A state that the service has stored. */
export interface Version {
  readonly etag: string;
  readonly fields: EditedFields;
}

/** What someone has typed, and the version that they began with. */
export interface Draft {
  readonly base: Version;
  readonly fields: EditedFields;
  /** What can be undone, the last step at the end. */
  readonly past?: readonly EditedFields[];
  /** What was undone, the next one at the end. */
  readonly future?: readonly EditedFields[];
}
