/**
 * A setting that administrators have saved, or a secret that the service has generated. Only the service can decrypt its
 * secrets, with `SETTINGS_SECRET`.
 */
export interface StoredSetting {
  /** Example: `connector`. */
  readonly kind: string;
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, SealedSecret>>;
  /** Changes with each update. */
  readonly etag: string;
  readonly updatedAt: Date;
}

export interface SealedSecret {
  /** In Base64. */
  readonly sealed: string;
  /** In ISO 8601. */
  readonly setAt: string;
}

export interface NewSetting {
  readonly kind: string;
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** Values by name. */
  readonly secrets: Readonly<Record<string, string>>;
  /** What the user should do if no more settings can be saved, for the error. Default: `delete one` */
  readonly remedy?: string;
}

/** The setting before and after a change; undefined if there is none. */
export interface SettingChange {
  readonly before: StoredSetting | undefined;
  readonly after: StoredSetting | undefined;
}

/**
 * Returns the states of a setting before and after a change, for the audit trail. For a secret, they contain only
 * the name, and whether it is set or was changed.
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
