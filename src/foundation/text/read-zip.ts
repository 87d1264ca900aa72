import { invalid } from "../errors.js";
import {
  DamagedArchiveError,
  openZip,
  TooLargeArchiveError,
  type ZipParts,
} from "./tables/workbook/zip-parts.js";

const MAX_UNPACKED_BYTES = 512 * 1024 * 1024;

/**
 * Opens a ZIP archive, and returns what `read` returns.
 * @param name of the archive in errors
 * @param remedy end of the error if the archive is too large, for example `: unpack it`
 * @throws Problem `invalid` if the archive is damaged, or unpacks to more than 512 MB
 */
export function readZip<T>(bytes: Uint8Array, name: string, read: (archive: ZipParts) => T, remedy = ""): T {
  try {
    return read(openZip(bytes, MAX_UNPACKED_BYTES));
  } catch (error) {
    if (error instanceof TooLargeArchiveError)
      throw invalid(`${name} unpacks to more than 512 MB${remedy}.`, error);
    if (error instanceof DamagedArchiveError)
      throw invalid(`${name} is not a ZIP archive, or is damaged: ${error.message}.`, error);
    throw error;
  }
}
