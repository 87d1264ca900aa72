/** The kind under which connectors are saved in the stored settings. */
export const CONNECTOR_KIND = "connector";

export interface StoredConnectorOptions {
  readonly type: string;
  readonly baseUrl: string;
  readonly isEnabled: boolean;
  /** The settings, as in `CONNECTORS_FILE`. */
  readonly settings: Readonly<Record<string, unknown>>;
}
