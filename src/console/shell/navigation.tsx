import { Link, useRouterState } from "@tanstack/react-router";
import { SealMark } from "../components/icons.js";
import { useDestinations } from "../components/use-destinations.js";
import { useCaller } from "../components/use-may.js";
import { useWords } from "../i18n/words.js";
import { settings } from "../service/settings.js";

/** The navigation. On narrow screens, a button opens it. */
export function Navigation({ isOpen }: { readonly isOpen: boolean }) {
  const { shell } = useWords();
  const caller = useCaller();
  const destinations = useDestinations();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const current = currentOf(destinations, path);
  return (
    <nav className="side" aria-label={shell.navigation} data-open={isOpen}>
      <p className="platform">
        <SealMark />
        <bdi>{settings.platformName}</bdi>
      </p>
      <ul>
        {destinations.map(({ to, label, icon }) => (
          <li key={to}>
            <Link to={to} activeOptions={{ exact: to !== current }}>
              {icon}
              {label}
            </Link>
          </li>
        ))}
      </ul>
      {caller.data && (
        <p className="who">
          {shell.signedInAs}{" "}
          <bdi title={caller.data.username}>{caller.data.fullName || caller.data.username}</bdi>
        </p>
      )}
    </nav>
  );
}

/** Returns the destination that a page belongs to: the one with the longest path that is the start of the page's path. */
function currentOf(destinations: readonly { readonly to: string }[], path: string): string | undefined {
  return destinations
    .map(({ to }) => to)
    .filter((to) => to !== "/" && `${path}/`.startsWith(`${to}/`))
    .sort((one, other) => other.length - one.length)[0];
}
