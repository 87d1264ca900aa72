import { createStore } from "../reader/store.js";
import { queryClient } from "./api.js";
import { isSignedOut } from "./connection.js";

/** A single-use secret that the address brought along, until it is spent. */
export const pendingSecret = createStore<string | undefined>(undefined);

const SESSION = "/console/session";
const brought = /^#sign-in=([\w-]+)$/;

/** Takes the secret out of the address, where a reader could copy it or a browser keep it. */
export function takeSignInSecret(): void {
  const take = () => {
    const [, secret] = brought.exec(location.hash) ?? [];
    if (secret === undefined) return;
    history.replaceState(history.state, "", location.pathname + location.search);
    isSignedOut.set(true);
    pendingSecret.set(secret);
  };
  take();
  addEventListener("hashchange", take);
}

export type SignInOutcome = "signed-in" | "spent" | "away";

/** Spends a secret for a session. */
export async function signIn(secret: string): Promise<SignInOutcome> {
  try {
    const answer = await fetch(SESSION, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ secret }),
    });
    if (answer.status === 403) return "spent";
    if (!answer.ok) return "away";
  } catch {
    return "away";
  }
  isSignedOut.set(false);
  // What was typed stays: a page is not begun anew because its session was.
  await queryClient.invalidateQueries();
  return "signed-in";
}

/** Ends the session. Nothing that was seen stays in the page. */
export async function signOut(): Promise<void> {
  await fetch(SESSION, { method: "DELETE" });
  location.assign("/console/");
}
