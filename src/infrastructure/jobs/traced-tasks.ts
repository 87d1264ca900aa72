import { ROOT_CONTEXT, SpanKind, type Tracer } from "@opentelemetry/api";
import { beginSpan } from "#foundation/tracing/span.js";
import type { Task, Tasks } from "./tasks.js";

/** Returns tasks that record each run as a span. */
export function tracedTasks(tasks: Tasks, tracer: Tracer): Tasks {
  const traced = Object.entries(tasks).map(([name, task]) => [name, tracedTask(name, task, tracer)]);
  return Object.fromEntries(traced) as Tasks;
}

function tracedTask<Payload>(name: string, task: Task<Payload>, tracer: Tracer): Task<Payload> {
  return async (payload, run) => {
    const span = beginSpan(tracer, {
      name: `job ${name}`,
      kind: SpanKind.CONSUMER,
      attributes: { "job.task": name },
      parent: ROOT_CONTEXT,
    });
    let isFault = true;
    try {
      await span.inside(() => task(payload, run));
      isFault = false;
    } finally {
      span.end({ isFault });
    }
  };
}
