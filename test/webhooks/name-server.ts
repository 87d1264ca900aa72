import { createSocket } from "node:dgram";
import type { AddressInfo } from "node:net";

/** Returns the records for a query. `turn` counts the queries of this name and type, from 0. */
type Records = (turn: number) => readonly string[];

/** A name server on this machine. Its records may change from query to query. */
export interface NameServer {
  /** The address in the form that `Resolver.setServers` expects. */
  readonly address: string;
  close(): void;
}

const TYPE_AAAA = 28;

/** @param zone the addresses of each name. Addresses with a colon become AAAA records, all others A records */
export async function startNameServer(zone: Readonly<Record<string, Records>>): Promise<NameServer> {
  const turns = new Map<string, number>();
  const socket = createSocket("udp4");
  socket.on("message", (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    const key = `${name} ${type}`;
    const turn = turns.get(key) ?? 0;
    turns.set(key, turn + 1);
    const isV6 = type === TYPE_AAAA;
    const answers = (zone[name.toLowerCase()]?.(turn) ?? [])
      .filter((each) => each.includes(":") === isV6)
      .map((each) => record(type, isV6 ? v6Bytes(each) : Buffer.from(each.split(".").map(Number))));
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180, 2); // a response without an error
    header.writeUInt16BE(answers.length, 6);
    header.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([header, query.subarray(12, end), ...answers]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    close: () => void socket.close(),
  };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.subarray(at + 1, at + 1 + length).toString("latin1"));
    at += 1 + length;
  }
  return { name: labels.join("."), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** A record of the name in the question, with a time to live of 0. */
function record(type: number, data: Buffer): Buffer {
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
  return Buffer.concat([head, data]);
}

function v6Bytes(address: string): Buffer {
  const [left = "", right = ""] = address.split("::");
  const words = (part: string) => part.split(":").filter((word) => word !== "");
  const [before, after] = [words(left), words(right)];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  const bytes = Buffer.alloc(16);
  for (const [index, word] of [...before, ...zeros, ...after].entries())
    bytes.writeUInt16BE(Number.parseInt(word, 16), index * 2);
  return bytes;
}
