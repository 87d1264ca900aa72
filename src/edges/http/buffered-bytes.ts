import { totalmem } from "node:os";

const MIB = 1024 * 1024;

/** Memory that each server may use for arriving requests: a fraction of the available memory, up to a maximum. */
const protocols = {
  grpc: { part: 1 / 8, most: 512 * MIB },
  http: { part: 1 / 16, most: 128 * MIB },
} as const;

/** @param container memory limit of a container, which may be lower than the machine's memory */
export function bufferedBytesAllowed(
  protocol: keyof typeof protocols,
  machine = totalmem(),
  container = process.constrainedMemory(),
): number {
  const memory = container > 0 ? Math.min(machine, container) : machine;
  const { part, most } = protocols[protocol];
  return Math.min(most, memory * part);
}
