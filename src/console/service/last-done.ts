import { createStore } from "./store.js";

/**
 * The label of the button for the last action; undefined as soon as the confirmation of that action has disappeared.
 */
export const lastDone = createStore<{ readonly action: string } | undefined>(undefined);
