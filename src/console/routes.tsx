import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { Failure } from "./parts/failure.js";
import { NoSuchPage } from "./shell/no-such-page.js";
import { Shell } from "./shell/shell.js";

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

export const router = createRouter({
  basepath: "/console",
  routeTree: root.addChildren([overview]),
  defaultPreload: false,
  scrollRestoration: true,
  defaultErrorComponent: ({ error, reset }) => <Failure error={error} onRetry={reset} />,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
