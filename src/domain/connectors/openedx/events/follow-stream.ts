import type { Hint } from "../../../learners/connector-hints.js";
import type { HintSink } from "../../driver/driver.js";
import { createBusClient } from "./bus-client.js";
import { readEdxEvent } from "./edx-event.js";
import type { EventBusSettings } from "./event-bus-settings.js";

const BATCH = 200;
const BLOCK_MS = 2_000;

/** Idle time after which this consumer takes over another consumer's unacknowledged message. */
const MIN_IDLE_MS = 60_000;

export function streamsOf({ topics, prefix }: EventBusSettings): string[] {
  return topics.map((topic) => (prefix ? `${prefix}-${topic}` : topic));
}

type Message = { readonly id: string; readonly message: Readonly<Record<string, Buffer>> };

/**
 * Reads the event bus until the signal aborts. Stores the hints of several messages in one transaction, and then
 * acknowledges the messages. Messages that can't be decoded are counted and skipped. If messages may have been lost,
 * requests a sweep.
 */
export async function followStreams(
  events: EventBusSettings,
  sink: HintSink,
  signal: AbortSignal,
): Promise<void> {
  const client = await createBusClient(events);
  client.on("error", (error) => sink.noteConnection(error)); // the client reconnects by itself
  client.on("ready", () => sink.noteConnection());
  const end = () => client.destroy();
  signal.addEventListener("abort", end, { once: true });
  const group = events.group ?? `learning-credentials-${sink.connector}`;
  const consumer = `${process.pid}-${Math.random().toString(36).slice(2)}`;
  const streams = streamsOf(events);
  try {
    await client.connect();
    for (const stream of streams) await join(stream);
    while (!signal.aborted) {
      for (const stream of streams) {
        const claimed = await client.xAutoClaim(stream, group, consumer, MIN_IDLE_MS, "0", { COUNT: BATCH });
        const left = claimed.messages.filter((message) => message !== null) as unknown as Message[];
        if (claimed.deletedMessages?.length) await sink.reportGap();
        if (left.length > 0) await take(stream, left);
      }
      const read = (await client.xReadGroup(
        group,
        consumer,
        streams.map((key) => ({ key, id: ">" })),
        { COUNT: BATCH, BLOCK: BLOCK_MS },
      )) as unknown as { name: Buffer | string; messages: Message[] }[] | null;
      for (const { name, messages } of read ?? []) {
        const last = await sink.lastProcessed(String(name));
        if (last !== undefined && (await isTrimmedPast(String(name), last))) await sink.reportGap();
        await take(String(name), messages, String(messages.at(-1)?.id));
      }
    }
  } catch (error) {
    if (signal.aborted) return;
    throw error;
  } finally {
    signal.removeEventListener("abort", end);
    if (client.isOpen) client.destroy();
  }

  /**
   * Joins the consumer group, starting at the oldest message. If an earlier group was deleted, messages may have been
   * lost.
   */
  async function join(stream: string): Promise<void> {
    const last = await sink.lastProcessed(stream);
    const isNew = await client.xGroupCreate(stream, group, "0", { MKSTREAM: true }).then(
      () => true,
      (error: Error) => {
        if (error.message.startsWith("BUSYGROUP")) return false;
        throw error;
      },
    );
    if (last !== undefined && (isNew || (await isTrimmedPast(stream, last)))) await sink.reportGap();
  }

  /**
   * Returns whether messages after `last` may have been deleted before they were read, because the oldest message is
   * newer.
   */
  async function isTrimmedPast(stream: string, last: string): Promise<boolean> {
    const [first] = (await client.xRange(stream, "-", "+", { COUNT: 1 })) as unknown as Message[];
    return first !== undefined && isAfter(String(first.id), last);
  }

  /** @param last id of the last message; undefined for messages that another consumer left unacknowledged */
  async function take(stream: string, messages: readonly Message[], last?: string): Promise<void> {
    const hints = messages.flatMap((each) => readHints(each, sink));
    await sink.store(stream, hints, last);
    await client.xAck(
      stream,
      group,
      messages.map(({ id }) => String(id)),
    );
  }
}

/** Returns the hint of a message, if it has one, and counts the message. */
function readHints({ id, message }: Message, sink: HintSink): Hint[] {
  const type = String(message.type ?? "");
  try {
    const hint = message.event_data && readEdxEvent(type, message.event_data);
    sink.count(hint ? "hint" : "ignored", String(id));
    return hint ? [hint] : [];
  } catch {
    sink.count("undecodable", String(id));
    return [];
  }
}

/** Returns whether one id comes after another. Ids of Redis Streams consist of milliseconds and a number. */
function isAfter(a: string, b: string): boolean {
  const [aTime = 0n, aNumber = 0n] = a.split("-").map(BigInt);
  const [bTime = 0n, bNumber = 0n] = b.split("-").map(BigInt);
  return aTime > bTime || (aTime === bTime && aNumber > bNumber);
}
