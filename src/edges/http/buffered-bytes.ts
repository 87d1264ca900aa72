import { totalmem } from "node:os";

const MIB = 1024 * 1024;

/** What requests that are still arriving at a door may keep: a part of the memory that there is, and at most so much. */
const doors = {
  grpc: { part: 1 / 8, most: 512 * MIB },
  http: { part: 1 / 16, most: 128 * MIB },
} as const;

/** The memory that there is, is in a container less than what the machine has. */
export function bufferedBytesAllowed(
  door: keyof typeof doors,
  machine = totalmem(),
  container = process.constrainedMemory(),
): number {
  const memory = container > 0 ? Math.min(machine, container) : machine;
  const { part, most } = doors[door];
  return Math.min(most, memory * part);
}
