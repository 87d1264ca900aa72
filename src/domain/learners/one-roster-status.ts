/**
 * Returns whether the status of an object says that it was deleted. OneRoster 1.0 has `inactive`, which later versions
 * define as `tobedeleted`.
 */
export function isDeletedStatus(status: string): boolean {
  return ["tobedeleted", "inactive"].includes(status.toLowerCase());
}
