/** `repaired`, even if there was nothing left to repair, or the reason why the repair wasn't possible. */
export type RepairOutcome = "repaired" | { readonly because: string };
