import { createReadStream } from "node:fs";
import { lstat, readdir, readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { ExportFiles } from "#domain/moving/export.js";
import { invalid } from "#foundation/errors.js";
import { readZip } from "#foundation/text/read-zip.js";
import type { ZipParts } from "#foundation/text/tables/workbook/zip-parts.js";

const MAX_FILES = 10_000;
const MAX_ARCHIVE_BYTES = 256 * 1024 * 1024;

/** Matches the files that macOS adds to archives, and to folders on drives that can't store its attributes. */
const ADDED_BY_MACOS = /(?:^|\/)(?:__MACOSX\/|\._|\.DS_Store$)/;

/**
 * Opens an export, which is a file, the regular files of a folder, or the files in a ZIP archive.
 * @param map path of the `--map` file. If that file is in the folder, it is not part of the export
 * @throws Problem `invalid` that names the path
 */
export async function openExport(path: string, map: string | undefined): Promise<ExportFiles> {
  const about = await stat(path).catch((error: Error) => {
    throw invalid(`${path} can't be read: ${error.message}`, error);
  });
  if (about.isDirectory()) return filesOfFolder(path, map === undefined ? undefined : resolve(map));
  if (!about.isFile()) throw invalid(`${path} is neither a file nor a folder.`);
  if (/\.zip$/i.test(path)) {
    if (about.size > MAX_ARCHIVE_BYTES)
      throw invalid(`${path} has ${about.size} bytes; at most ${MAX_ARCHIVE_BYTES} are accepted: unpack it.`);
    return filesOfArchive(await readFile(path), path);
  }
  const name = path.split("/").at(-1) ?? path;
  return { names: [name], chunks: () => createReadStream(path) };
}

/** Ignores symbolic links, because they may lead outside the folder. */
async function filesOfFolder(folder: string, map: string | undefined): Promise<ExportFiles> {
  const names: string[] = [];
  for (const name of (await readdir(folder)).sort()) {
    const path = join(folder, name);
    if (ADDED_BY_MACOS.test(name)) continue;
    if (resolve(path) !== map && (await lstat(path)).isFile()) names.push(name);
    if (names.length > MAX_FILES) throw invalid(`${folder} has more than ${MAX_FILES} files.`);
  }
  return { names, chunks: (name) => createReadStream(join(folder, name)) };
}

function filesOfArchive(bytes: Buffer, path: string): ExportFiles {
  const read = <T>(work: (archive: ZipParts) => T): T =>
    readZip(bytes, path, work, ": unpack it first, and name the folder");
  const names = read((archive) => archive.names);
  return {
    names: [...new Set(names)].filter((name) => !name.endsWith("/") && !ADDED_BY_MACOS.test(name)),
    async *chunks(name) {
      const pieces: Uint8Array[] = [];
      read((archive) => archive.unpack(name, (piece) => pieces.push(piece)));
      yield* pieces;
    },
  };
}
