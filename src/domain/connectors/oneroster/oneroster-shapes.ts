import { z } from "zod";
import { rows } from "../driver/rows.js";

const optional = z
  .string()
  .nullish()
  .transform((text) => text ?? "");
const id = z.union([z.string().min(1), z.number().transform(String)]);
const reference = z.object({ sourcedId: id });
const number = z
  .union([z.number(), z.string().trim().min(1).transform(Number)])
  .nullish()
  .catch(undefined)
  .transform((value) => (typeof value === "number" && Number.isFinite(value) ? value : undefined));
/** A boolean, which some providers write as text. */
const flag = z
  .union([z.boolean(), z.string().transform((text) => text.toLowerCase() !== "false")])
  .nullish()
  .transform((value) => value ?? true);
/** A day, which some providers write with a time. */
const day = optional.transform((text) => text.slice(0, 10));
/** A list in its wrapper object. */
function listed<Row extends z.ZodType>(name: string, row: Row) {
  return z.object({ [name]: rows(row) }).transform((answer): z.output<Row>[] => answer[name] ?? []);
}
const base = { sourcedId: id, status: optional };

/** Returns whether the row has not been deleted at the provider. */
export function isThere({ status }: { readonly status: string }): boolean {
  return status.toLowerCase() !== "tobedeleted";
}

export const token = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive().catch(300),
});

const classRow = z.object({
  ...base,
  title: optional,
  classCode: optional,
  school: reference,
  terms: z.array(reference).nullish(),
});
export const oneClass = z.object({ class: classRow });
export const classes = listed("classes", classRow);

export const academicSessions = listed("academicSessions", z.object({ ...base, endDate: day }));

export const students = listed(
  "users",
  z.object({
    ...base,
    enabledUser: flag,
    username: optional,
    identifier: optional,
    email: z.string().nullish(),
    givenName: optional,
    familyName: optional,
    // Added in 1.2; a draft of it that is in use had other names.
    preferredGivenName: optional,
    preferredFirstName: optional,
    preferredFamilyName: optional,
    preferredLastName: optional,
  }),
);

export const enrollments = listed(
  "enrollments",
  z.object({ ...base, role: optional, user: reference, beginDate: day, endDate: day }),
);

export const lineItems = listed(
  "lineItems",
  z.object({
    ...base,
    title: optional,
    category: reference.nullish(),
    resultValueMin: number,
    resultValueMax: number,
    // Used by providers that nest these fields.
    resultValue: z.object({ resultValueMin: number, resultValueMax: number }).nullish().catch(undefined),
  }),
);

export const categories = listed("categories", z.object({ ...base, title: optional }));

/** Added in 1.2: "true" or a boolean. */
const isSo = z
  .unknown()
  .optional()
  .transform((value) => String(value).toLowerCase() === "true");

export const results = listed(
  "results",
  z.object({
    ...base,
    lineItem: reference,
    student: reference,
    scoreStatus: optional,
    score: number,
    /** Added in 1.2, like the following fields: a letter grade. */
    textScore: optional,
    inProgress: isSo,
    incomplete: isSo,
  }),
);
