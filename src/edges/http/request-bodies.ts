import { toRpcError } from "#api/pipeline/codes.js";
import type { AdmittedCall, Inbound } from "#api/pipeline/inbound.js";
import { untilCancelled } from "#foundation/concurrency/cancellation.js";
import { createFairSemaphore } from "#foundation/concurrency/semaphore.js";
import { Problem, tooManyRequests } from "#foundation/errors.js";

/** Reads the bodies of admitted calls that have a single request message. */
export interface RequestBodies {
  /** @throws ConnectError for the caller if the body arrives too slowly or is too large */
  read(body: AsyncIterable<Uint8Array>, call: AdmittedCall, inbound: Inbound): AsyncIterable<Uint8Array>;
}

/** How long a body may take to arrive, as on the gRPC port. */
const READ_TIMEOUT_MS = 10_000;
/** Maximum number of arriving bodies of all clients. */
const MAX_ARRIVING = 1_000;

/** @param maxBytes maximum total size of all arriving bodies */
export function createRequestBodies(maxBytes: number): RequestBodies {
  const arriving = createFairSemaphore(MAX_ARRIVING);
  const buffered = createFairSemaphore(maxBytes);

  async function* readChunks(
    body: AsyncIterable<Uint8Array>,
    { holder: { name, share } }: AdmittedCall,
    { cancellation }: Inbound,
  ): AsyncGenerator<Uint8Array> {
    if (!arriving.tryAcquire(name, share)) throw tooManyRequests();
    let bytes = 0;
    const timer = setTimeout(
      () => cancellation.cancel(new Problem("deadline-exceeded", "The request took too long to arrive.")),
      READ_TIMEOUT_MS,
    );
    try {
      const chunks = body[Symbol.asyncIterator]();
      for (;;) {
        const next = await untilCancelled(cancellation, chunks.next());
        if (next.done) return;
        const chunk = next.value;
        if (!buffered.tryAcquire(name, share, chunk.length)) throw tooManyRequests();
        bytes += chunk.length;
        yield chunk;
      }
    } finally {
      clearTimeout(timer);
      arriving.release(name);
      if (bytes > 0) buffered.release(name, bytes);
    }
  }

  return {
    async *read(body, call, inbound) {
      try {
        yield* readChunks(body, call, inbound);
      } catch (error) {
        // Errors other than Problems come from the connection.
        throw toRpcError(error instanceof Problem ? error : incompleteRequest(error));
      }
    },
  };
}

function incompleteRequest(cause: unknown): Problem {
  return new Problem("cancelled", "The request was incomplete.", { cause });
}
