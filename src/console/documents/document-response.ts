const MAX_RETRIES = 3;
const RETRY_MS = 500;

/** Status codes of the response if a credential is no longer available, or its file was deleted. */
const UNAVAILABLE = [400, 404, 410];

/** Repeats a request while the service is busy. @throws the reason of `signal` if it is aborted */
export async function retryWhileBusy(
  request: () => Promise<Response>,
  signal?: AbortSignal,
): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const response = await request();
    const isBusy = response.status === 429 || response.status === 503;
    if (!isBusy || attempt === MAX_RETRIES) return response;
    await pause(RETRY_MS * 2 ** attempt, signal);
  }
}

/** Returns a document. @throws Error if the service didn't send it */
export async function documentIn(response: Response): Promise<Uint8Array> {
  if (!response.ok) throw new Error(`the service answered ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** Returns a document; undefined if its credential is no longer available, for example because it was withdrawn. */
export async function documentIfAvailable(response: Response): Promise<Uint8Array | undefined> {
  return UNAVAILABLE.includes(response.status) ? undefined : documentIn(response);
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
