import { createStore } from "./store.js";

/** The last action, by the label of its button; undefined when its confirmation has disappeared. */
export const lastDone = createStore<{ readonly action: string } | undefined>(undefined);
