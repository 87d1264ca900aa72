import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { readContextSearch } from "./contexts/context-search.js";
import { readCredentialSearch } from "./credentials/credential-search.js";
import { readEventSearch } from "./events/event-search.js";
import { readLearnerSearch } from "./learners/learner-search.js";
import { readMailSearch } from "./mails/mail-search.js";
import { Failure } from "./parts/failure.js";
import { NoSuchPage } from "./shell/no-such-page.js";
import { Shell } from "./shell/shell.js";
import { readAttemptSearch } from "./webhooks/attempt-search.js";

/** The router would keep whatever else is in the address. */
function only<Search extends object>(read: (query: Record<string, unknown>) => Search) {
  return (query: Record<string, unknown>): Search => ({
    ...Object.fromEntries(Object.keys(query).map((name) => [name, undefined])),
    ...read(query),
  });
}

/** Every page of the console. What a page shows is in its address alone, so that a link shows the same to others. */

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NoSuchPage,
  errorComponent: ({ error, reset }) => <Failure error={error} onRetry={reset} />,
});

const overview = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: lazyRouteComponent(() => import("./overview/overview-page.js"), "OverviewPage"),
});

const credentials = createRoute({
  getParentRoute: () => root,
  path: "/credentials",
  validateSearch: only(readCredentialSearch),
  component: lazyRouteComponent(() => import("./credentials/credential-list-page.js"), "CredentialListPage"),
});

const credential = createRoute({
  getParentRoute: () => root,
  path: "/credentials/$uuid",
  component: lazyRouteComponent(() => import("./credentials/credential-page.js"), "CredentialPage"),
});

/** The configuration that a page is about. */
const ofConfiguration = ({ configuration }: Record<string, unknown>): { configuration?: string } =>
  isId(configuration) ? { configuration } : {};

const runs = createRoute({
  getParentRoute: () => root,
  path: "/runs",
  validateSearch: only(({ page }): { page?: string } => (typeof page === "string" ? { page } : {})),
  component: lazyRouteComponent(() => import("./runs/run-list-page.js"), "RunListPage"),
});

const newRun = createRoute({
  getParentRoute: () => root,
  path: "/runs/new",
  validateSearch: only(ofConfiguration),
  component: lazyRouteComponent(() => import("./runs/new-run-page.js"), "NewRunPage"),
});

const run = createRoute({
  getParentRoute: () => root,
  path: "/runs/$id",
  component: lazyRouteComponent(() => import("./runs/run-page.js"), "RunPage"),
});

const without = createRoute({
  getParentRoute: () => root,
  path: "/without-credential",
  validateSearch: only((query): { configuration?: string; page?: string } => ({
    ...ofConfiguration(query),
    ...(typeof query.page === "string" && { page: query.page }),
  })),
  component: lazyRouteComponent(() => import("./without/without-page.js"), "WithoutPage"),
});

const issueFromList = createRoute({
  getParentRoute: () => root,
  path: "/issue-from-list",
  validateSearch: only(ofConfiguration),
  component: lazyRouteComponent(() => import("./lists/list-page.js"), "ListPage"),
});

const learners = createRoute({
  getParentRoute: () => root,
  path: "/learners",
  validateSearch: only(readLearnerSearch),
  component: lazyRouteComponent(() => import("./learners/learner-list-page.js"), "LearnerListPage"),
});

const learner = createRoute({
  getParentRoute: () => root,
  path: "/learners/$username",
  component: lazyRouteComponent(() => import("./learners/learner-page.js"), "LearnerPage"),
});

const contexts = createRoute({
  getParentRoute: () => root,
  path: "/contexts",
  validateSearch: only(readContextSearch),
  component: lazyRouteComponent(() => import("./contexts/context-list-page.js"), "ContextListPage"),
});

const types = createRoute({
  getParentRoute: () => root,
  path: "/types",
  validateSearch: only(({ page }): { page?: string } => (typeof page === "string" ? { page } : {})),
  component: lazyRouteComponent(() => import("./types/type-list-page.js"), "TypeListPage"),
});

const newType = createRoute({
  getParentRoute: () => root,
  path: "/types/new",
  validateSearch: only(({ from }): { from?: string } => (isId(from) ? { from } : {})),
  component: lazyRouteComponent(() => import("./types/new-type-page.js"), "NewTypePage"),
});

const type = createRoute({
  getParentRoute: () => root,
  path: "/types/$id",
  component: lazyRouteComponent(() => import("./types/type-page.js"), "TypePage"),
});

const files = createRoute({
  getParentRoute: () => root,
  path: "/types/files",
  validateSearch: only(({ page }): { page?: string } => (typeof page === "string" ? { page } : {})),
  component: lazyRouteComponent(() => import("./types/files/file-list-page.js"), "FileListPage"),
});

const configuration = createRoute({
  getParentRoute: () => root,
  path: "/configurations/$id",
  component: lazyRouteComponent(() => import("./configurations/configuration-page.js"), "ConfigurationPage"),
});

const events = createRoute({
  getParentRoute: () => root,
  path: "/events",
  validateSearch: only(readEventSearch),
  component: lazyRouteComponent(() => import("./events/event-list-page.js"), "EventListPage"),
});

const mails = createRoute({
  getParentRoute: () => root,
  path: "/mails",
  validateSearch: only(readMailSearch),
  component: lazyRouteComponent(() => import("./mails/mail-list-page.js"), "MailListPage"),
});

const webhooks = createRoute({
  getParentRoute: () => root,
  path: "/webhooks",
  component: lazyRouteComponent(() => import("./webhooks/webhook-list-page.js"), "WebhookListPage"),
});

const webhook = createRoute({
  getParentRoute: () => root,
  path: "/webhooks/$id",
  validateSearch: only(readAttemptSearch),
  component: lazyRouteComponent(() => import("./webhooks/webhook-page.js"), "WebhookPage"),
});

export const router = createRouter({
  basepath: "/console",
  parseSearch: readQuery,
  stringifySearch: writeQuery,
  routeTree: root.addChildren([
    overview,
    credentials,
    credential,
    runs,
    newRun,
    run,
    issueFromList,
    without,
    learners,
    learner,
    contexts,
    types,
    newType,
    type,
    files,
    configuration,
    events,
    mails,
    webhooks,
    webhook,
  ]),
  defaultPreload: false,
  scrollRestoration: true,
  defaultErrorComponent: ({ error, reset }) => <Failure error={error} onRetry={reset} />,
});

/** Whether a value is the number of a type or configuration. */
function isId(value: unknown): value is string {
  return typeof value === "string" && /^[1-9]\d{0,8}$/.test(value);
}

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
