import { totalmem } from "node:os";

const MIB = 1024 * 1024;

/** Memory that arriving requests may use, per server: a fraction of the available memory, up to a maximum. */
const protocols = {
  grpc: { part: 1 / 8, most: 512 * MIB },
  http: { part: 1 / 16, most: 128 * MIB },
} as const;

/** In a container, the available memory may be less than the machine's. */
export function bufferedBytesAllowed(
  protocol: keyof typeof protocols,
  machine = totalmem(),
  container = process.constrainedMemory(),
): number {
  const memory = container > 0 ? Math.min(machine, container) : machine;
  const { part, most } = protocols[protocol];
  return Math.min(most, memory * part);
}
