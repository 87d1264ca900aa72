import type { AdmittedCall } from "#api/pipeline/inbound.js";
import type { Pipeline } from "#api/pipeline/pipeline.js";
import type { Sessions } from "#infrastructure/sessions/sessions.js";

/** Ends the streams of a session when the session ends. Authentication checks a session only when a call begins. */
export function endStreamsWithSessions(pipeline: Pipeline, sessions: Sessions): Pipeline {
  return {
    ...pipeline,
    admit(method, inbound) {
      const admitted = pipeline.admit(method, inbound);
      const { credentials, cancellation } = inbound;
      const { session } = credentials;
      if (session === undefined || method.methodKind !== "server_streaming") return admitted;
      const bounded = (call: AdmittedCall): AdmittedCall => ({
        holder: call.holder,
        unary: (bound) => call.unary(bound),
        clientStream: (requests) => call.clientStream(requests),
        bidiStream: (requests) => call.bidiStream(requests),
        refuse: (problem) => call.refuse(problem),
        async *serverStream(bound) {
          const stop = sessions.onEnd(session, (problem) => cancellation.cancel(problem));
          try {
            yield* call.serverStream(bound);
          } finally {
            stop();
          }
        },
      });
      return admitted instanceof Promise ? admitted.then(bounded) : bounded(admitted);
    },
  };
}
