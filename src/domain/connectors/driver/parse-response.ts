import type { z } from "zod";
import { PullError } from "./pull-error.js";

/** Parses a response. @throws PullError `invalid` naming the unexpected field, but never its value */
export function parseResponse<T>(endpoint: string, shape: z.ZodType<T>, body: unknown): T {
  const read = shape.safeParse(body);
  if (read.success) return read.data;
  const where = read.error.issues[0]?.path.map(String).join(".");
  const what = where
    ? `${where} in the response is missing or invalid`
    : "the response has an unexpected format";
  throw new PullError("invalid", `${endpoint}: ${what}.`);
}
