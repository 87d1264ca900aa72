import { queryClient } from "./api.js";
import { isSignedOut } from "./connection.js";
import { HOME } from "./home.js";
import { createStore } from "./store.js";
import { forgetInTab } from "./tab-memory.js";

/** A single-use secret that the address brought along, until it is spent. */
export const pendingSecret = createStore<string | undefined>(undefined);

const SESSION = `${HOME}session`;
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
  // What was typed stays: a page is not begun again because its session was.
  await queryClient.invalidateQueries();
  return "signed-in";
}

/** Tells the other tabs of this browser, which have the same session, that it was ended. */
const endings = new BroadcastChannel("console.signed-out");
endings.onmessage = () => leave(HOME);

/**
 * Ends the session, also at the provider that began it. Nothing that was seen stays in a page, or is kept for one.
 */
export async function signOut(): Promise<void> {
  const answer = await fetch(SESSION, { method: "DELETE" });
  const { signOutUrl } = answer.status === 200 ? await answer.json() : { signOutUrl: HOME };
  endings.postMessage(null);
  leave(signOutUrl);
}

function leave(address: string): void {
  forgetInTab();
  location.assign(address);
}
