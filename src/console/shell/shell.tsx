import { Outlet, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { Button } from "../components/button.js";
import { Failure } from "../components/failure.js";
import { MenuIcon } from "../components/icons.js";
import { filledIn } from "../components/isolated.js";
import { lazily } from "../components/lazily.js";
import { useIsDesign } from "../components/use-is-design.js";
import { useCaller } from "../components/use-may.js";
import { useWords } from "../i18n/words.js";
import { isAway, isSignedOut } from "../service/connection.js";
import { lastDone } from "../service/last-done.js";
import { useStore } from "../service/store.js";
import { forgetInTab } from "../service/tab-memory.js";
import { Navigation } from "./navigation.js";
import { PageProgress } from "./page-progress.js";
import { Preferences } from "./preferences-panel.js";
import { SearchLauncher } from "./search-launcher.js";

const SignIn = lazily(() => import("../sign-in/sign-in.js"), "SignIn");

/**
 * The frame of every page. Sends no requests before someone is signed in. When a session ends, the page remains below
 * the sign-in form, so no typed text is lost.
 */
export function Shell() {
  const isOut = useStore(isSignedOut);
  const [wasIn, setWasIn] = useState(false);
  const caller = useCaller(!isOut);
  const isIn = caller.data !== undefined && !isOut;
  useEffect(() => setWasIn((before) => before || isIn), [isIn]);
  const username = caller.data?.username;
  const first = useRef(username);
  // If another user signs in, nothing of the previous user may stay visible.
  useEffect(() => {
    first.current ??= username;
    if (username !== undefined) forgetInTab(username);
    if (username !== undefined && username !== first.current) location.reload();
  }, [username]);
  return (
    <>
      {isOut && <SignIn hasEnded={wasIn} />}
      {!isOut && !wasIn && caller.error && (
        <main>
          <Failure error={caller.error} onRetry={() => void caller.refetch()} />
        </main>
      )}
      {(isIn || wasIn) && <Frame isHidden={isOut} />}
    </>
  );
}

function Frame({ isHidden }: { readonly isHidden: boolean }) {
  const { shell } = useWords();
  const [isOpen, setOpen] = useState(false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const isDesign = useIsDesign();
  const main = useRef<HTMLElement>(null);
  const shownPath = useRef(path);

  // Moves the focus to the heading of a new page, so that screen readers announce it.
  useEffect(() => {
    if (shownPath.current === path) return;
    shownPath.current = path;
    setOpen(false);
    main.current?.focus({ preventScroll: true });
  }, [path]);

  return (
    <div className="frame" data-view={isDesign ? "design" : undefined} hidden={isHidden}>
      <a className="skip" href="#main">
        {shell.skip}
      </a>
      <header className="top">
        <Button
          variant="quiet"
          className="menu-button"
          aria-label={shell.menu}
          aria-expanded={isOpen}
          onPress={() => setOpen(!isOpen)}
        >
          <MenuIcon />
        </Button>
        <SearchLauncher />
        <Preferences />
      </header>
      <Navigation isOpen={isOpen} />
      <PageProgress />
      <AwayBanner />
      <Confirmation />
      <main id="main" ref={main} tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}

function AwayBanner() {
  const { shell } = useWords();
  const away = useStore(isAway);
  return (
    <div role="status" className={away ? "away-banner" : "away-from-view"}>
      {away ? shell.away : ""}
    </div>
  );
}

/** Long enough to read the confirmation, but not long enough to be in the way. */
const CONFIRMATION_MS = 6_000;

/** Confirms the last action, even if its dialog has closed and another page is shown. */
function Confirmation() {
  const { parts } = useWords();
  const done = useStore(lastDone);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => lastDone.set(undefined), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [done]);
  return (
    <div role="status" className={done ? "confirmation" : "away-from-view"}>
      {done ? filledIn(parts.done, { action: done.action }) : ""}
    </div>
  );
}
