/** A setting that administrators have saved. Its secrets can only be read with the secrets of the service. */
export interface StoredSetting {
  /** Kind of setting, for example `connector`. */
  readonly kind: string;
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, SealedSecret>>;
  /** Changes with each update. */
  readonly etag: string;
  readonly updatedAt: Date;
}

/** An encrypted secret. */
export interface SealedSecret {
  /** In Base64. */
  readonly sealed: string;
  /** In ISO 8601. */
  readonly setAt: string;
}

/** A setting to save. */
export interface NewSetting {
  readonly kind: string;
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** Values by name. */
  readonly secrets: Readonly<Record<string, string>>;
}

/**
 * Returns the states of a setting before and after a change, for the audit trail. For a secret, they contain only
 * whether it is set and whether it was changed.
 */
export function auditedStates(
  before: StoredSetting | undefined,
  after: StoredSetting | undefined,
): [before: object | undefined, after: object | undefined] {
  const stateOf = (setting: StoredSetting, earlier: StoredSetting["secrets"]) => ({
    ...setting.options,
    secrets: Object.fromEntries(
      Object.entries(setting.secrets).map(([name, { setAt }]) => {
        const isChanged = earlier[name] !== undefined && earlier[name].setAt !== setAt;
        return [name, isChanged ? "changed" : "set"];
      }),
    ),
  });
  return [before && stateOf(before, before.secrets), after && stateOf(after, before?.secrets ?? {})];
}
