import { z } from "zod";

export const eventBusSettings = z.strictObject({
  redis_url_file: z.string(),
  prefix: z.string().default(""),
  topics: z.array(z.string().min(1)).min(1).default(["learning-credentials"]),
  group: z.string().min(1).optional(),
});

export type EventBusSettings = z.output<typeof eventBusSettings>;
