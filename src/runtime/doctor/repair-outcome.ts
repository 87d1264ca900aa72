/** Result of a repair: either nothing is left to do, or the reason why it wasn't possible. */
export type RepairOutcome = "repaired" | { readonly because: string };
