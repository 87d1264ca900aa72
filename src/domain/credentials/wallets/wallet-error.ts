/** Error codes of OpenID4VCI 1.0 (6.3, 8.3.1) and OAuth 2.0 (RFC 6749, 5.2; RFC 6750, 3.1). */
type WalletErrorCode =
  | "invalid_request"
  | "invalid_grant"
  | "unsupported_grant_type"
  | "invalid_token"
  | "invalid_credential_request"
  | "invalid_encryption_parameters"
  | "unknown_credential_configuration"
  | "unknown_credential_identifier"
  | "invalid_proof"
  | "invalid_nonce"
  | "credential_request_denied";

/** The message is for the wallet's developers. */
export class WalletError extends Error {
  override readonly name = "WalletError";

  constructor(
    readonly code: WalletErrorCode,
    message: string,
  ) {
    super(message);
  }
}
