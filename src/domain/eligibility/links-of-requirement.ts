import type { RequirementLink } from "../configurations/options.js";
import type { Requirement } from "./requirement.js";

/**
 * Lists the courses that a tree names and the credentials that it requires, for a tree used in this learning context.
 */
export function linksOf(requirement: Requirement, learningContextKey: string): RequirementLink[] {
  const links = new Map<string, RequirementLink>();
  const add = (link: Partial<RequirementLink>) => {
    const fullLink = { contextKey: null, heldTypeId: null, heldConfigurationId: null, ...link };
    links.set(JSON.stringify(fullLink), fullLink);
  };
  function visit(part: Requirement): void {
    if ("parts" in part) {
      for (const each of part.parts) visit(each);
    } else if (part.kind !== "holds") {
      for (const contextKey of part.courseKeys ?? []) add({ contextKey });
    } else if ("configurationId" in part.of) {
      add({ heldConfigurationId: part.of.configurationId });
    } else {
      const heldTypeId = part.of.credentialTypeId;
      const { contextKeys = [learningContextKey] } = part;
      for (const contextKey of contextKeys ?? [null]) add({ contextKey, heldTypeId });
    }
  }
  visit(requirement);
  return [...links.values()];
}
