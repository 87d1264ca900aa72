import { totalmem } from "node:os";

const MIB = 1024 * 1024;

/** Memory that arriving requests may use, per server: a fraction of the available memory, up to a maximum. */
const doors = {
  grpc: { part: 1 / 8, most: 512 * MIB },
  http: { part: 1 / 16, most: 128 * MIB },
} as const;

/** In a container, the available memory is less than the machine's. */
export function bufferedBytesAllowed(
  door: keyof typeof doors,
  machine = totalmem(),
  container = process.constrainedMemory(),
): number {
  const memory = container > 0 ? Math.min(machine, container) : machine;
  const { part, most } = doors[door];
  return Math.min(most, memory * part);
}
