import type { Export, ExportFiles } from "../export.js";
import type { ExportMap } from "../map.js";

interface ExportSource {
  readonly name: string;
  /** Description in the help text. */
  readonly summary: string;
  read(files: ExportFiles, map: ExportMap): Promise<Export>;
}

export const exportSources: readonly ExportSource[] = [
  {
    name: "learning-credentials-plugin",
    summary: "JSON of manage.py dumpdata; --files is its media folder",
    read: async (files) => (await import("./learning-credentials-plugin.js")).readPluginDump(files),
  },
  {
    name: "openedx-certificates",
    summary: "JSON of manage.py lms dumpdata",
    read: async (files) => (await import("./openedx-certificates.js")).readOpenEdxCertificates(files),
  },
  {
    name: "moodle-customcert",
    summary: "responses of mod_customcert_list_issues as JSON, or a folder of tables as CSV",
    read: async (files) => (await import("./moodle-customcert.js")).readCustomcert(files),
  },
  {
    name: "badgr",
    summary: "JSON or ZIP of Badgr or Parchment Digital Badges",
    read: async (files) => (await import("./badgr.js")).readBadgr(files),
  },
  {
    name: "accredible",
    summary: "CSV of credentials",
    read: async (files, map) => (await import("./tables-of-badges.js")).readAccredible(files, map),
  },
  {
    name: "credly",
    summary: "CSV of the detailed analytics export",
    read: async (files, map) => (await import("./tables-of-badges.js")).readCredly(files, map),
  },
];
