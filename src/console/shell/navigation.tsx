import { Link } from "@tanstack/react-router";
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
  return (
    <nav className="side" aria-label={shell.navigation} data-open={isOpen}>
      <p className="platform">
        <SealMark />
        <bdi>{settings.platformName}</bdi>
      </p>
      <ul>
        {destinations.map(({ to, label, icon }) => (
          <li key={to}>
            <Link to={to} activeOptions={{ exact: to === "/" }}>
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
