import { z } from "zod";

/**
 * A list of rows, of which the first wrong one ends the reading. A list of Zod's would make an error of every
 * wrong row: a gigabyte of them for an answer of a few megabytes.
 */
export function rows<Row extends z.ZodType>(row: Row) {
  return z.array(z.unknown()).transform((given, { issues }): z.output<Row>[] => {
    const read: z.output<Row>[] = [];
    for (const [index, input] of given.entries()) {
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
