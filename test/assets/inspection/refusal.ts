import { expect, test } from "vitest";
import type { AssetKind } from "#domain/assets/asset.js";
import { inspectContent } from "#domain/assets/inspection/inspect-content.js";
import { Problem } from "#foundation/errors.js";

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

type Files = Readonly<Record<string, Buffer | Promise<Buffer>>>;

/** Tests that files are accepted as files of this kind. */
export function accepts(kind: AssetKind, files: Files): void {
  test.each(Object.entries(files))("%s", async (_, bytes) => {
    expect(await inspectContent(await bytes)).toBe(kind);
  });
}

/** Tests that files are refused. Files are grouped by a part of the expected message. */
export function refuses(files: Readonly<Record<string, Files>>): void {
  for (const [reason, ofReason] of Object.entries(files))
    test.each(Object.entries(ofReason))("%s", async (_, bytes) => {
      expect(await refusal(inspectContent(await bytes))).toContain(reason);
    });
}
