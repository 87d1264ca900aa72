import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Those that take half a minute or more, the longest first. */
const LONGEST = [
  "main/readme.slow",
  "credentials/many-workers",
  "api/hostile-assets",
  "credentials/long-outages",
  "rendering/shaping",
  "main/commands",
  "edges/limits.slow",
  "edges/anonymous-attacks",
  "soak/soak",
  "db/embedded-postgres.slow",
  "edges/pages/browser",
  "edges/dead-standby",
  "edges/unread-streams",
  "api/noto-fonts",
  "credentials/same-facts",
  "main/kill",
  "edges/locked-table",
];

/** Begins with what takes longest, so that no file is left alone at the end; a clean clone does not know yet which that is. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = LONGEST.findIndex((name) => moduleId.includes(`/test/${name}`));
      return index < 0 ? LONGEST.length : index;
    };
    const others = await super.sort(files);
    return others.sort((a, b) => rank(a) - rank(b));
  }
}
