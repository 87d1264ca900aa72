import type { LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Role } from "#gen/learning_credentials/options/v1/options_pb.js";
import { useWords } from "../i18n/words.js";
import {
  BrandingIcon,
  ContextsIcon,
  CredentialsIcon,
  EmailsIcon,
  EventsIcon,
  LearnersIcon,
  ListIcon,
  OverviewIcon,
  RunsIcon,
  SettingsIcon,
  TypesIcon,
  WebhooksIcon,
} from "./icons.js";
import { useCaller } from "./use-may.js";

interface Destination {
  readonly to: NonNullable<LinkProps["to"]>;
  readonly label: string;
  readonly icon: ReactNode;
}

/** Returns all pages that the caller may open. */
export function useDestinations(): readonly Destination[] {
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
    { to: "/types/branding", label: shell.branding, icon: <BrandingIcon /> },
    { to: "/events", label: shell.events, icon: <EventsIcon /> },
    { to: "/emails", label: shell.emails, icon: <EmailsIcon /> },
    ...(isAdmin
      ? ([
          { to: "/webhooks", label: shell.webhooks, icon: <WebhooksIcon /> },
          { to: "/administration", label: shell.administration, icon: <SettingsIcon /> },
        ] as const)
      : []),
  ];
}
