import { useRouterState } from "@tanstack/react-router";
import { useCaller, useMay } from "./use-may.js";

/**
 * Returns whether the page shows its design in the designer, which fills the window. The URL fragments `#design` and
 * `#form` decide. Without either, types open in the designer for people who may change them. Offers open in the form,
 * beside their requirements, schedule and claims.
 */
export function useIsDesign(): boolean {
  const may = useMay();
  const caller = useCaller().data;
  const isChosen = useRouterState({ select: ({ location }) => chosenView(location.hash) });
  const isOfType = useRouterState({
    select: ({ matches }) =>
      matches.some(
        (match) =>
          match.routeId === "/types/$id" ||
          // A new type has a design once a ready-made design or a type to copy is chosen.
          (match.routeId === "/types/new" && (match.search.design ?? match.search.from) !== undefined),
      ),
  });
  return isChosen ?? (isOfType && may("designer") === undefined && !caller?.isBounded);
}

function chosenView(hash: string): boolean | undefined {
  return hash === "design" ? true : hash === "form" ? false : undefined;
}
