import { z } from "zod";
import { isDeletedStatus } from "../../learners/one-roster-status.js";
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
/** A date, to which some providers add a time. */
const day = optional.transform((text) => text.slice(0, 10));
/** A list within an object, in the field with this name. */
function listed<Row extends z.ZodType>(name: string, row: Row) {
  return z.object({ [name]: rows(row) }).transform((answer): z.output<Row>[] => answer[name] ?? []);
}
const base = { sourcedId: id, status: optional };

/** Returns whether a row still exists. Deleted rows remain in lists, with their own status. */
export function isActiveRow({ status }: { readonly status: string }): boolean {
  return !isDeletedStatus(status);
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
    // Preferred names were added in 1.2. A draft that some providers use calls them First and Last.
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
    // Some providers nest these fields.
    resultValue: z.object({ resultValueMin: number, resultValueMax: number }).nullish().catch(undefined),
  }),
);

export const categories = listed("categories", z.object({ ...base, title: optional }));

/** A boolean, which may be written as "true". Such fields were added in 1.2. */
const looseBoolean = z
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
    /** A letter grade. This and the following fields were added in 1.2. */
    textScore: optional,
    inProgress: looseBoolean,
    incomplete: looseBoolean,
  }),
);
