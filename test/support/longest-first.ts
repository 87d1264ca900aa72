import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Test files that take half a minute or more, the longest first. */
const LONGEST = [
  "main/documents.slow",
  "faults/many-workers",
  "api/hostile-assets",
  "faults/long-outages",
  "text/shaping",
  "main/commands",
  "edges/limits.slow",
  "edges/anonymous-attacks",
  "soak/soak",
  "embedded/postgres.slow",
  "edges/pages/browser",
  "faults/replica.slow",
  "main/failover",
  "faults/dead-standby",
  "grpc/unread-streams",
  "api/noto-fonts",
  "faults/same-facts",
  "main/kill",
  "faults/locked-table",
];

/**
 * Runs the slowest test files first, so that none is left alone at the end. A clean clone has no recorded durations
 * yet.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = LONGEST.findIndex((name) => moduleId.includes(`/${name}`));
      return index < 0 ? LONGEST.length : index;
    };
    const others = await super.sort(files);
    return others.sort((a, b) => rank(a) - rank(b));
  }
}
