import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isSignedOut, noteAway } from "./connection.js";
import { HOME } from "./home.js";

/** The path of the API for calls with a session. */
export const BASE_URL = `${HOME}rpc`;

const CALL_TIMEOUT_MS = 30_000;
/** A page that is opened again within this time requests nothing. */
const FRESH_MS = 5_000;
const MAX_RETRIES = 2;

/** Records for the whole console when the service is unreachable, or nobody is signed in. */
const noteFaults: Interceptor = (next) => async (request) => {
  try {
    const response = await next(request);
    return response.stream ? { ...response, message: noted(response.message) } : response;
  } catch (error) {
    noteFault(error);
    throw error;
  }
};

/** A stream may fail long after its start, for example when the session ends. */
async function* noted<T>(messages: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* messages;
  } catch (error) {
    noteFault(error);
    throw error;
  }
}

const askAgain = () => void queryClient.invalidateQueries();

/** Records for the whole console what a failed call says about the connection to the service. */
export function noteFault(error: unknown): void {
  const { code } = ConnectError.from(error);
  if (code === Code.Unauthenticated) isSignedOut.set(true);
  if (isTransportFault(error)) noteAway(askAgain);
}

/** The transport to the service, at the path for calls with a session. */
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
      enabled: () => !isSignedOut.get(), // until then, each call would be rejected
      staleTime: FRESH_MS,
      retry: (count, error) => isTransportFault(error) && count < MAX_RETRIES,
      refetchOnWindowFocus: false,
    },
    mutations: { retry: false },
  },
});

/** Returns whether the call may not have reached the service, so that a retry can help. */
function isTransportFault(error: unknown): boolean {
  const { code, cause } = ConnectError.from(error);
  return code === Code.Unavailable || (code === Code.Unknown && cause instanceof TypeError);
}
