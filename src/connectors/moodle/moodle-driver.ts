import { z } from "zod";
import type { ConnectorDriver } from "../driver.js";
export const moodle = {
  name: "moodle",
  summary: "",
  settings: z.object({}),
  open() {
    throw new Error("soon");
  },
} as ConnectorDriver;
