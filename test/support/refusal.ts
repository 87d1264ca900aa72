import { Code, ConnectError } from "@connectrpc/connect";

/** Returns with which code and message a call is refused, as `NotFound: …`. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  const [code, message] = await codeAndMessage(call);
  return code === undefined ? message : `${code}: ${message}`;
}

/** Returns the same apart. A call that is answered has no code. */
export async function codeAndMessage(
  call: Promise<unknown>,
): Promise<[code: string | undefined, message: string]> {
  const error = await call.then(
    () => undefined,
    (reason) => ConnectError.from(reason),
  );
  return [error && Code[error.code], error?.rawMessage ?? "it was answered"];
}
