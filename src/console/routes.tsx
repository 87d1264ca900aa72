import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  lazyRouteComponent,
  type RouteComponent,
} from "@tanstack/react-router";
import { useEffect } from "react";
import { readAdministrationSearch } from "./administration/administration-search.js";
import { addressOf, isId, isText, isYes } from "./components/address.js";
import { Failure } from "./components/failure.js";
import { readCredentialSearch } from "./credentials/credential-search.js";
import { readEmailSearch } from "./emails/email-search.js";
import { withTexts } from "./i18n/texts-in-advance.js";
import { reloadIfIgnored } from "./release.js";
import { HOME } from "./service/home.js";
import { NoSuchPage } from "./shell/no-such-page.js";
import { Shell } from "./shell/shell.js";

// A page shows the same content to everyone who opens its URL, so links can be shared.

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NoSuchPage,
});

function PageFailure({ error, reset }: ErrorComponentProps) {
  useEffect(() => reloadIfIgnored(error), [error]);
  return <Failure error={error} onRetry={reset} />;
}

/** Functions that fetch each page before it is opened. */
export const pageLoaders: (() => Promise<unknown>)[] = [];

/**
 * Creates a page that is loaded when it is opened.
 * @param read reads the parameters of its URL
 */
function page<Path extends string, Search extends object>(
  path: Path,
  read: (query: Record<string, unknown>) => Search,
) {
  return <N extends string>(load: () => Promise<Readonly<Record<N, RouteComponent>>>, name: N) => {
    pageLoaders.push(load);
    // With the original error, the router would reload the tab. While the service is unreachable, the user would then
    // lose the tab's contents. `release.ts` reloads the tab only if the service responds.
    const named = (error: Error) =>
      Promise.reject(new Error(`A page could not be loaded: ${error.message}`, { cause: error }));
    const component = lazyRouteComponent(() => withTexts(load).catch(named), name);
    return createRoute({ getParentRoute: () => root, path, component, validateSearch: read });
  };
}

const nothing = addressOf({});
const pageOnly = addressOf({ page: isText });
const ofConfiguration = addressOf({ configuration: isId });

const pages = [
  page("/", nothing)(() => import("./overview/overview-page.js"), "OverviewPage"),
  page("/figures", nothing)(() => import("./figures/figures-page.js"), "FiguresPage"),
  page("/credentials", readCredentialSearch)(
    () => import("./credentials/credential-list-page.js"),
    "CredentialListPage",
  ),
  page("/credentials/$uuid", nothing)(() => import("./credentials/credential-page.js"), "CredentialPage"),
  page("/runs", pageOnly)(() => import("./runs/run-list-page.js"), "RunListPage"),
  page("/runs/new", ofConfiguration)(() => import("./runs/new-run-page.js"), "NewRunPage"),
  page("/runs/$id", nothing)(() => import("./runs/run-page.js"), "RunPage"),
  page("/without-credential", addressOf({ configuration: isId, reason: isText, page: isText }))(
    () => import("./without-credential/without-page.js"),
    "WithoutPage",
  ),
  page("/issue-from-list", ofConfiguration)(() => import("./issue-from-list/list-page.js"), "ListPage"),
  page("/learners", addressOf({ q: isText, context: isText, page: isText }))(
    () => import("./learners/learner-list-page.js"),
    "LearnerListPage",
  ),
  page("/learners/$username", nothing)(() => import("./learners/learner-page.js"), "LearnerPage"),
  page("/contexts", addressOf({ q: isText, page: isText }))(
    () => import("./contexts/context-list-page.js"),
    "ContextListPage",
  ),
  page("/types", pageOnly)(() => import("./types/type-list-page.js"), "TypeListPage"),
  page("/types/new", addressOf({ from: isId, revision: isId, design: isText }))(
    () => import("./types/new-type-page.js"),
    "NewTypePage",
  ),
  page("/types/$id", nothing)(() => import("./types/type-page.js"), "TypePage"),
  page("/types/files", pageOnly)(() => import("./types/files/file-list-page.js"), "FileListPage"),
  page("/types/branding", nothing)(() => import("./types/branding/branding-page.js"), "BrandingPage"),
  page("/configurations/$id", nothing)(
    () => import("./configurations/configuration-page.js"),
    "ConfigurationPage",
  ),
  page("/events", addressOf({ actor: isText, type: isText, credential: isText, page: isText }))(
    () => import("./events/event-list-page.js"),
    "EventListPage",
  ),
  page("/emails", readEmailSearch)(() => import("./emails/email-list-page.js"), "EmailListPage"),
  page("/webhooks", nothing)(() => import("./webhooks/webhook-list-page.js"), "WebhookListPage"),
  page("/webhooks/$id", addressOf({ failures: isYes, page: isText }))(
    () => import("./webhooks/webhook-page.js"),
    "WebhookPage",
  ),
  page("/administration", readAdministrationSearch)(
    () => import("./administration/administration-page.js"),
    "AdministrationPage",
  ),
] as const;

export const router = createRouter({
  basepath: HOME.slice(0, -1),
  parseSearch: readQuery,
  stringifySearch: writeQuery,
  routeTree: root.addChildren(pages),
  defaultPreload: false,
  scrollRestoration: true,
  defaultErrorComponent: PageFailure,
});

/** Reads every value as a text. By default, the router would write and read JSON in URLs. */
function readQuery(query: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(query));
}

function writeQuery(search: Record<string, unknown>): string {
  const filled = Object.entries(search).filter(([, value]) => typeof value === "string" && value !== "");
  const query = new URLSearchParams(filled as [string, string][]).toString();
  return query === "" ? "" : `?${query}`;
}

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
