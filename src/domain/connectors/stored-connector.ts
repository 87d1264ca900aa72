/** The kind of stored settings that connectors are. */
export const CONNECTOR_KIND = "connector";

/** The options of a stored connector. */
export interface StoredConnectorOptions {
  readonly type: string;
  readonly baseUrl: string;
  readonly isEnabled: boolean;
  /** All other settings, as in `CONNECTORS_FILE`. */
  readonly settings: Readonly<Record<string, unknown>>;
}
