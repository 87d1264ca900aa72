export interface EditedFields {
  readonly name?: string;
  readonly retrievalFunc?: string;
  readonly generationFunc?: string;
  /** The options as JSON. */
  readonly options: string;
}

export type FieldName = keyof EditedFields;

export interface Version {
  readonly etag: string;
  readonly fields: EditedFields;
}

export interface Draft {
  readonly base: Version;
  readonly fields: EditedFields;
  /** Steps to undo. The last one is undone first. */
  readonly past?: readonly EditedFields[];
  /** Steps to redo. The last one is redone first. */
  readonly future?: readonly EditedFields[];
}
