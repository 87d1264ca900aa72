import { z } from "zod";

/**
 * A schema for a list that stops at the first invalid row. Zod's own arrays create an error for every invalid row,
 * which took a gigabyte of memory for a response of a few megabytes.
 */
export function rows<Row extends z.ZodType>(row: Row) {
  return z.array(z.unknown()).transform((rawRows, { issues }): z.output<Row>[] => {
    const read: z.output<Row>[] = [];
    for (const [index, input] of rawRows.entries()) {
      const one = row.safeParse(input);
      if (!one.success) {
        const [first] = one.error.issues;
        issues.push({ code: "custom", path: [index, ...(first?.path ?? [])], message: "is wrong", input });
        return z.NEVER;
      }
      read.push(one.data);
    }
    return read;
  });
}

/**
 * A schema for a list that leaves out invalid rows. If all rows are invalid, the list is invalid. Don't use it for
 * lists in which a missing row means that a record must be withdrawn.
 */
export function soundRows<Row extends z.ZodType>(row: Row) {
  return z.array(z.unknown()).transform((rawRows, { issues }): ValidRows<z.output<Row>> => {
    const sound: z.output<Row>[] = [];
    let where: PropertyKey[] | undefined;
    for (const [index, input] of rawRows.entries()) {
      const one = row.safeParse(input);
      if (one.success) sound.push(one.data);
      else where ??= [index, ...(one.error.issues[0]?.path ?? [])];
    }
    if (where && sound.length === 0) {
      issues.push({ code: "custom", path: where, message: "is wrong", input: rawRows });
      return z.NEVER;
    }
    return { sound, odd: rawRows.length - sound.length };
  });
}

export interface ValidRows<Row> {
  readonly sound: readonly Row[];
  /** The number of invalid rows. */
  readonly odd: number;
}
