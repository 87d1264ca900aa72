/** `repaired` also if there was nothing left to repair; otherwise the reason why the repair wasn't possible. */
export type RepairOutcome = "repaired" | { readonly because: string };
