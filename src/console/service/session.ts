import { queryClient } from "./api.js";
import { isSignedOut } from "./connection.js";
import { HOME } from "./home.js";
import { createStore } from "./store.js";
import { forgetInTab } from "./tab-memory.js";

/** The single-use secret from the URL, until it is redeemed. */
export const pendingSecret = createStore<string | undefined>(undefined);

const SESSION = `${HOME}session`;
const signInFragment = /^#sign-in=([\w-]+)$/;

/**
 * Moves the secret of a sign-in link from the URL to `pendingSecret`, so that nobody copies the secret and the browser
 * doesn't store it.
 */
export function takeSignInSecret(): void {
  const take = () => {
    const [, secret] = signInFragment.exec(location.hash) ?? [];
    if (secret === undefined) return;
    history.replaceState(history.state, "", location.pathname + location.search);
    isSignedOut.set(true);
    pendingSecret.set(secret);
  };
  take();
  addEventListener("hashchange", take);
}

export type SignInOutcome = "signed-in" | "spent" | "away";

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
  // Requests the data again without reloading the page, because a reload would discard typed text.
  await queryClient.invalidateQueries();
  return "signed-in";
}

/** Notifies other tabs of the browser that the session has ended. All tabs share the session. */
const endings = new BroadcastChannel("console.signed-out");
endings.onmessage = () => leavePage(HOME);

/** Ends the session, both here and at the identity provider. Leaves nothing on the page or in the tab's storage. */
export async function signOut(): Promise<void> {
  const answer = await fetch(SESSION, { method: "DELETE" });
  const { signOutUrl } = answer.status === 200 ? await answer.json() : { signOutUrl: HOME };
  endings.postMessage(null);
  leavePage(signOutUrl);
}

function leavePage(address: string): void {
  forgetInTab();
  location.assign(address);
}
