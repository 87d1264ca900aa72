import { Code, ConnectError } from "@connectrpc/connect";

/** Returns the code and message with which a call is refused, as `NotFound: …`. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  const [code, message] = await codeAndMessage(call);
  return code === undefined ? message : `${code}: ${message}`;
}

/** Returns the code and the message of a refusal separately. A call that succeeds has no code. */
export async function codeAndMessage(
  call: Promise<unknown>,
): Promise<[code: string | undefined, message: string]> {
  const error = await call.then(
    () => undefined,
    (reason) => ConnectError.from(reason),
  );
  return [error && Code[error.code], error?.rawMessage ?? "it was answered"];
}
