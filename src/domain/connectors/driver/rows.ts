import { z } from "zod";

/**
 * A list of rows that stops at the first invalid one. Zod's own arrays create an error for every invalid row, which
 * took a gigabyte of memory for an answer of a few megabytes.
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
 * A list without its invalid rows, so that one odd row does not block the rest. Use it only for lists in which an
 * absent row withdraws nothing. If all rows are invalid, so is the list.
 */
export function soundRows<Row extends z.ZodType>(row: Row) {
  return z.array(z.unknown()).transform((rawRows, { issues }): SoundRows<z.output<Row>> => {
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

export interface SoundRows<Row> {
  readonly sound: readonly Row[];
  /** The number of invalid rows. */
  readonly odd: number;
}
