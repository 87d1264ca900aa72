import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
} from "@tanstack/react-router";
import { addressOf, isId, isText } from "./components/address.js";
import { Failure } from "./components/failure.js";
import { readCredentialSearch } from "./credentials/credential-search.js";
import { readMailSearch } from "./mails/mail-search.js";
import { NoSuchPage } from "./shell/no-such-page.js";
import { Shell } from "./shell/shell.js";

/** Every page of the console. What a page shows is in its address alone, so that a link shows the same to others. */

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NoSuchPage,
  errorComponent: ({ error, reset }) => <Failure error={error} onRetry={reset} />,
});

/** A page that is loaded when it is opened. @param read what it takes from its address */
function page<Path extends string, Search extends object>(
  path: Path,
  component: RouteComponent,
  read: (query: Record<string, unknown>) => Search,
) {
  return createRoute({ getParentRoute: () => root, path, component, validateSearch: read });
}

/** What fetches each page before it is opened. */
export const pageLoaders: (() => Promise<unknown>)[] = [];

const loaded: typeof lazyRouteComponent = (load, name) => {
  pageLoaders.push(load);
  // The router would reload the tab by itself, and lose it if the service is away: see `release.ts`.
  const named = (error: Error) =>
    Promise.reject(new Error(`A page is missing: ${error.message}`, { cause: error }));
  return lazyRouteComponent(() => load().catch(named), name);
};
const nothing = addressOf({});
const pageOnly = addressOf({ page: isText });
const ofConfiguration = addressOf({ configuration: isId });

const isYes = (text: string): text is "yes" => text === "yes";

/** What the tabs of administration take from its address: which one, and of whom and what changes are shown. */
const ofAdministration = addressOf({
  tab: isText,
  caller: isText,
  learner: isText,
  object: isText,
  from: isText,
  to: isText,
  reads: isYes,
  page: isText,
});

const pages = [
  page(
    "/",
    loaded(() => import("./overview/overview-page.js"), "OverviewPage"),
    nothing,
  ),
  page(
    "/figures",
    loaded(() => import("./figures/figures-page.js"), "FiguresPage"),
    nothing,
  ),
  page(
    "/credentials",
    loaded(() => import("./credentials/credential-list-page.js"), "CredentialListPage"),
    readCredentialSearch,
  ),
  page(
    "/credentials/$uuid",
    loaded(() => import("./credentials/credential-page.js"), "CredentialPage"),
    nothing,
  ),
  page(
    "/runs",
    loaded(() => import("./runs/run-list-page.js"), "RunListPage"),
    pageOnly,
  ),
  page(
    "/runs/new",
    loaded(() => import("./runs/new-run-page.js"), "NewRunPage"),
    ofConfiguration,
  ),
  page(
    "/runs/$id",
    loaded(() => import("./runs/run-page.js"), "RunPage"),
    nothing,
  ),
  page(
    "/without-credential",
    loaded(() => import("./without-credential/without-page.js"), "WithoutPage"),
    addressOf({ configuration: isId, reason: isText, page: isText }),
  ),
  page(
    "/issue-from-list",
    loaded(() => import("./issue-from-list/list-page.js"), "ListPage"),
    ofConfiguration,
  ),
  page(
    "/learners",
    loaded(() => import("./learners/learner-list-page.js"), "LearnerListPage"),
    addressOf({ q: isText, context: isText, page: isText }),
  ),
  page(
    "/learners/$username",
    loaded(() => import("./learners/learner-page.js"), "LearnerPage"),
    nothing,
  ),
  page(
    "/contexts",
    loaded(() => import("./contexts/context-list-page.js"), "ContextListPage"),
    addressOf({ q: isText, page: isText }),
  ),
  page(
    "/types",
    loaded(() => import("./types/type-list-page.js"), "TypeListPage"),
    pageOnly,
  ),
  page(
    "/types/new",
    loaded(() => import("./types/new-type-page.js"), "NewTypePage"),
    addressOf({ from: isId, revision: isId, design: isText }),
  ),
  page(
    "/types/$id",
    loaded(() => import("./types/type-page.js"), "TypePage"),
    nothing,
  ),
  page(
    "/types/files",
    loaded(() => import("./types/files/file-list-page.js"), "FileListPage"),
    pageOnly,
  ),
  page(
    "/types/branding",
    loaded(() => import("./types/branding/branding-page.js"), "BrandingPage"),
    nothing,
  ),
  page(
    "/configurations/$id",
    loaded(() => import("./configurations/configuration-page.js"), "ConfigurationPage"),
    nothing,
  ),
  page(
    "/events",
    loaded(() => import("./events/event-list-page.js"), "EventListPage"),
    addressOf({ actor: isText, type: isText, credential: isText, page: isText }),
  ),
  page(
    "/mails",
    loaded(() => import("./mails/mail-list-page.js"), "MailListPage"),
    readMailSearch,
  ),
  page(
    "/webhooks",
    loaded(() => import("./webhooks/webhook-list-page.js"), "WebhookListPage"),
    nothing,
  ),
  page(
    "/webhooks/$id",
    loaded(() => import("./webhooks/webhook-page.js"), "WebhookPage"),
    addressOf({ failures: isYes, page: isText }),
  ),
  page(
    "/administration",
    loaded(() => import("./administration/administration-page.js"), "AdministrationPage"),
    ofAdministration,
  ),
] as const;

export const router = createRouter({
  basepath: "/console",
  parseSearch: readQuery,
  stringifySearch: writeQuery,
  routeTree: root.addChildren(pages),
  defaultPreload: false,
  scrollRestoration: true,
  defaultErrorComponent: ({ error, reset }) => <Failure error={error} onRetry={reset} />,
});

/** Every value in an address is a text, so that addresses look like those of any other site. */
function readQuery(query: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(query));
}

function writeQuery(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(([, value]) => typeof value === "string" && value !== "");
  const query = new URLSearchParams(given as [string, string][]).toString();
  return query === "" ? "" : `?${query}`;
}

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
