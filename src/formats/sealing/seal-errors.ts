/** A file or its signature was changed after it was signed. */
export class ChangedError extends RangeError {}

/** A signature is in a form that is not known here, so it may be sound or not. */
export class UnknownFormError extends RangeError {}
