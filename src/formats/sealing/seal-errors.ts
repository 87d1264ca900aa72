/** A file or its signature was changed after signing. */
export class ChangedError extends RangeError {}

/** A signature has an unsupported form. It may be valid or not. */
export class UnknownFormError extends RangeError {}
