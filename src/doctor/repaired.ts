/** Result of a repair: nothing is left to do, or why something is. */
export type Repaired = "repaired" | { readonly because: string };
