import { Problem } from "../../../src/errors.js";

/** Returns the message of a refusal; any other outcome fails the test. */
export async function refusal(outcome: Promise<unknown>): Promise<string> {
  const result = await outcome.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ("value" in result) throw new Error(`accepted as ${JSON.stringify(result.value)}`);
  const { error } = result;
  if (!(error instanceof Problem) || error.kind !== "invalid") throw error;
  return error.message;
}
