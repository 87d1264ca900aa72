import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isSignedOut, reportUnreachable } from "./connection.js";
import { HOME } from "./home.js";

/** URL of the API for calls with a session. */
export const BASE_URL = `${HOME}rpc`;

const CALL_TIMEOUT_MS = 30_000;
/** Data that was read within this time is not requested again when a page opens. */
const STALE_AFTER_MS = 5_000;
const MAX_RETRIES = 2;

const noteFaults: Interceptor = (next) => async (request) => {
  try {
    const response = await next(request);
    return response.stream ? { ...response, message: noted(response.message) } : response;
  } catch (error) {
    noteFault(error);
    throw error;
  }
};

/** Records errors of a stream. A stream may fail long after its start, for example when the session ends. */
async function* noted<T>(messages: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* messages;
  } catch (error) {
    noteFault(error);
    throw error;
  }
}

const refetchAll = () => void queryClient.invalidateQueries();

/** Records what a failed call shows: that the service is unreachable, or that nobody is signed in. */
export function noteFault(error: unknown): void {
  const { code } = ConnectError.from(error);
  if (code === Code.Unauthenticated) isSignedOut.set(true);
  if (isTransportFault(error)) reportUnreachable(refetchAll);
}

export const transport = createConnectTransport({
  baseUrl: BASE_URL,
  defaultTimeoutMs: CALL_TIMEOUT_MS,
  interceptors: [noteFaults],
});

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache(),
  mutationCache: new MutationCache(),
  defaultOptions: {
    queries: {
      enabled: () => !isSignedOut.get(), // the service rejects calls while nobody is signed in
      staleTime: STALE_AFTER_MS,
      retry: (count, error) => isTransportFault(error) && count < MAX_RETRIES,
      refetchOnWindowFocus: false,
    },
    mutations: { retry: false },
  },
});

/** Returns whether the call may not have reached the service. If so, a retry may succeed. */
function isTransportFault(error: unknown): boolean {
  const { code, cause } = ConnectError.from(error);
  return code === Code.Unavailable || (code === Code.Unknown && cause instanceof TypeError);
}
