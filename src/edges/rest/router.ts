import { decodePercent } from "../http/percent.js";
import type { Template } from "./template.js";

/** A route, and the segments of the path. The segments are percent-encoded and don't include a verb. */
export interface Match<Route> {
  readonly route: Route;
  readonly segments: readonly string[];
}

interface Router<Route> {
  /**
   * Finds the route of a path. If several templates match, the first segment in which they differ decides: a literal
   * takes precedence over `*`, and `*` over `**`. No template matches an empty segment.
   * @param path starts with `/`, is percent-encoded, and has no query and no trailing slash
   */
  match(path: string): Match<Route> | undefined;
}

interface Node<Route> {
  readonly literals: Map<string, Node<Route>>;
  any?: Node<Route>;
  /** The route of a template that ends here with `**`. */
  rest?: Route;
  /** The route of a template that ends here. */
  end?: Route;
}

/** @throws Error if two templates match the same paths */
export function createRouter<Route extends { readonly template: Template }>(
  routes: readonly Route[],
  nameOf: (route: Route) => string,
): Router<Route> {
  const root = emptyNode<Route>();
  /**
   * Trees of routes by verb. The text after the last `:` of a path is a verb only if the verb's tree has a matching
   * route.
   */
  const byVerb = new Map<string, Node<Route>>();

  for (const route of routes) {
    const { verb } = route.template;
    const taken = insert(verb === undefined ? root : branch(byVerb, verb), route);
    if (taken)
      throw new Error(`${nameOf(route)}: its path matches the same paths as that of ${nameOf(taken)}`);
  }

  function matchVerb(segments: string[]): Match<Route> | undefined {
    const last = segments.length - 1;
    const segment = segments[last] ?? "";
    const colon = segment.lastIndexOf(":");
    const tree = colon > 0 ? byVerb.get(segment.slice(colon + 1)) : undefined;
    if (!tree) return undefined;
    const withoutVerb = segments.with(last, segment.slice(0, colon));
    const route = find(tree, withoutVerb, 0);
    return route && { route, segments: withoutVerb };
  }

  return {
    match(path) {
      const segments = path.slice(1).split("/");
      const withVerb = byVerb.size > 0 ? matchVerb(segments) : undefined;
      if (withVerb) return withVerb;
      const route = find(root, segments, 0);
      return route && { route, segments };
    },
  };
}

function emptyNode<Route>(): Node<Route> {
  return { literals: new Map() };
}

function branch<Route>(branches: Map<string, Node<Route>>, name: string): Node<Route> {
  const node = branches.get(name) ?? emptyNode<Route>();
  branches.set(name, node);
  return node;
}

/** Inserts a route into the tree. If the tree already has a route for the same paths, returns that one instead. */
function insert<Route extends { readonly template: Template }>(
  root: Node<Route>,
  route: Route,
): Route | undefined {
  let node = root;
  for (const matcher of route.template.segments) {
    if (matcher === "**") {
      if (node.rest) return node.rest;
      node.rest = route;
      return undefined;
    }
    if (matcher === "*") {
      node.any ??= emptyNode();
      node = node.any;
    } else {
      node = branch(node.literals, matcher.literal);
    }
  }
  if (node.end) return node.end;
  node.end = route;
  return undefined;
}

function find<Route>(node: Node<Route>, segments: readonly string[], at: number): Route | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.end ?? node.rest;
  if (segment === "") return undefined;
  const literal = node.literals.size > 0 ? node.literals.get(decodePercent(segment) ?? segment) : undefined;
  return (
    (literal && find(literal, segments, at + 1)) ??
    (node.any && find(node.any, segments, at + 1)) ??
    (segments.includes("", at) ? undefined : node.rest)
  );
}
