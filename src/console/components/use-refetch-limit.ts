import { useState } from "react";
import { refetchLimit } from "./refetch-limit.js";

/** Returns a `refetchLimit` that lasts as long as the component. */
export function useRefetchLimit(max: number) {
  return useState(() => refetchLimit(max))[0];
}
