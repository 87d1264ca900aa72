/** Result of a repair: nothing is left to do, or why something is. */
export type RepairOutcome = "repaired" | { readonly because: string };
