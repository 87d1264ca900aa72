import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Role } from "../../../gen/learning_credentials/options/v1/options_pb.js";
import {
  ContextsIcon,
  CredentialsIcon,
  EventsIcon,
  LearnersIcon,
  ListIcon,
  MailsIcon,
  OverviewIcon,
  RunsIcon,
  SealMark,
  TypesIcon,
  WebhooksIcon,
} from "../components/icons.js";
import { useCaller } from "../components/use-may.js";
import { useWords } from "../i18n/words.js";
import { settings } from "../service/settings.js";

interface Place {
  readonly to: NonNullable<LinkProps["to"]>;
  readonly label: string;
  readonly icon: ReactNode;
}

/** All pages that the caller may open. */
export function usePlaces(): readonly Place[] {
  const { shell } = useWords();
  const isAdmin = useCaller().data?.roles.includes(Role.ADMIN) ?? false;
  return [
    { to: "/", label: shell.overview, icon: <OverviewIcon /> },
    { to: "/credentials", label: shell.credentials, icon: <CredentialsIcon /> },
    { to: "/runs", label: shell.runs, icon: <RunsIcon /> },
    { to: "/issue-from-list", label: shell.issueFromList, icon: <ListIcon /> },
    { to: "/learners", label: shell.learners, icon: <LearnersIcon /> },
    { to: "/contexts", label: shell.contexts, icon: <ContextsIcon /> },
    { to: "/types", label: shell.types, icon: <TypesIcon /> },
    { to: "/events", label: shell.events, icon: <EventsIcon /> },
    { to: "/mails", label: shell.mails, icon: <MailsIcon /> },
    ...(isAdmin ? [{ to: "/webhooks", label: shell.webhooks, icon: <WebhooksIcon /> } as const] : []),
  ];
}

/** The ways to all pages. On narrow screens it opens from a button. */
export function Navigation({ isOpen }: { readonly isOpen: boolean }) {
  const { shell } = useWords();
  const caller = useCaller();
  const places = usePlaces();
  return (
    <nav className="side" aria-label={shell.navigation} data-open={isOpen}>
      <p className="platform">
        <SealMark />
        <bdi>{settings.platformName}</bdi>
      </p>
      <ul>
        {places.map(({ to, label, icon }) => (
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
