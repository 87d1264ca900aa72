import { z } from "zod";

/**
 * A list of rows, of which the first wrong one ends the reading. A list of Zod's would make an error of every
 * wrong row: a gigabyte of them for an answer of a few megabytes.
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
 * A list of which wrong rows are left out, so that one odd row does not cost all others. Only for lists in which an
 * absent row withdraws nothing. If none is as expected, the list is wrong.
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
  /** The number of rows that were left out. */
  readonly odd: number;
}
