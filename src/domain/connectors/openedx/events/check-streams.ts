import type { CheckResult } from "../../driver/driver.js";
import { createBusClient } from "./bus-client.js";
import { readEdxEvent } from "./edx-event.js";
import type { EventBusSettings } from "./event-bus-settings.js";
import { streamsOf } from "./follow-stream.js";

const CHECK_NAME = "event bus";
const CONNECT_TIMEOUT_MS = 5_000;

/** Reads the newest messages of each stream, without joining a consumer group or consuming any message. */
export async function* checkStreams(events: EventBusSettings): AsyncGenerator<CheckResult> {
  const client = await createBusClient(events, {
    socket: { connectTimeout: CONNECT_TIMEOUT_MS, reconnectStrategy: false },
  });
  client.on("error", () => {}); // ignored, because the command in progress fails, too
  try {
    await client.connect();
    for (const stream of streamsOf(events)) {
      const newest = await client.xRevRange(stream, "+", "-", { COUNT: 100 });
      yield resultOf(stream, newest as unknown as readonly Entry[]);
    }
  } catch (error) {
    yield { what: CHECK_NAME, outcome: "failed", text: `${reasonOf(error)} Check redis_url_file.` };
  } finally {
    if (client.isOpen) client.destroy();
  }
}

type Entry = { readonly message: Readonly<Record<string, Buffer>> };

function resultOf(stream: string, entries: readonly Entry[]): CheckResult {
  if (entries.length === 0) {
    const text =
      `The stream ${stream} has no message. Check EVENT_BUS_TOPIC_PREFIX and EVENT_BUS_PRODUCER_CONFIG of the LMS, ` +
      "and prefix and topics here.";
    return { what: CHECK_NAME, outcome: "warning", text };
  }
  let hints = 0;
  let undecodable = 0;
  for (const { message } of entries) {
    try {
      if (message.event_data && readEdxEvent(String(message.type ?? ""), message.event_data)) hints++;
    } catch {
      undecodable++;
    }
  }
  const seen = `of the last ${entries.length} messages of ${stream}, ${hints} concern a learner`;
  if (undecodable > 0)
    return { what: CHECK_NAME, outcome: "warning", text: `${seen}, and ${undecodable} can't be decoded` };
  return { what: CHECK_NAME, outcome: hints > 0 ? "ok" : "warning", text: seen };
}

/**
 * Describes an error of the connection. Uses only the code of a socket error, because its message may contain an
 * address.
 */
function reasonOf(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  if (typeof code === "string") return `Redis can't be reached (${code}).`;
  const reply = /^(NOAUTH|WRONGPASS|NOPERM|WRONGTYPE|ERR)\b/.exec(String(message))?.[0];
  return reply ? `Redis returned the error ${reply}.` : "Redis can't be reached.";
}
