import { createStore } from "./store.js";

/** What was done last, by the label of its button, until it has been confirmed for long enough. */
export const lastDone = createStore<{ readonly action: string } | undefined>(undefined);
