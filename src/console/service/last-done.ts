import { createStore } from "./store.js";

/** The last action, by the label of its button, until its confirmation has been shown for long enough. */
export const lastDone = createStore<{ readonly action: string } | undefined>(undefined);
