import type { z } from "zod";
import { PullError } from "./pull-error.js";

/** An answer of another shape than was agreed. It names the field, never its value. */
export function unexpected(endpoint: string, error: z.ZodError): PullError {
  const where = error.issues[0]?.path.map(String).join(".") || "the whole answer";
  return new PullError("invalid", `${endpoint}: the answer is not as expected at ${where}.`);
}
