import { z } from "zod";

/** A plug-in as another team would write it: whoever attends enough gets a diploma of one line. */
export const processors = [
  {
    name: "academy.processors.attendance",
    summary: "Eligible are those who attended the required part of the course.",
    options: z.strictObject({ required_attendance: z.number().min(0).max(1) }),
    criteria: ({ required_attendance }) => ({ completion: required_attendance }),
  },
];

export const generators = [
  {
    name: "academy.generators.line",
    summary: "A line of text.",
    options: z.strictObject({ greeting: z.string().default("Hello") }),
    render: async ({ userFullName, learningContextName }, { greeting }) =>
      Buffer.from(`%PDF ${greeting}, ${userFullName}: ${learningContextName}`),
  },
];
