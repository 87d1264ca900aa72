import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isSignedOut, noteAway } from "./connection.js";
import { HOME } from "./home.js";

/** The path at which a session counts. */
export const BASE_URL = `${HOME}rpc`;

const CALL_TIMEOUT_MS = 30_000;
/** A page that is opened again within this time asks nothing. */
const FRESH_MS = 5_000;
const MAX_RETRIES = 2;

/** Notes for the whole console when the service is away, or nobody is signed in. */
const noteFaults: Interceptor = (next) => async (request) => {
  try {
    const response = await next(request);
    return response.stream ? { ...response, message: noted(response.message) } : response;
  } catch (error) {
    noteFault(error);
    throw error;
  }
};

/** A stream may fail long after it began, as when its session ends. */
async function* noted<T>(messages: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* messages;
  } catch (error) {
    noteFault(error);
    throw error;
  }
}

const askAgain = () => void queryClient.invalidateQueries();

/** Notes for the whole console what a failed call says about the connection to the service. */
export function noteFault(error: unknown): void {
  const { code } = ConnectError.from(error);
  if (code === Code.Unauthenticated) isSignedOut.set(true);
  if (isTransportFault(error)) noteAway(askAgain);
}

/** The way to the service: its own methods, at the path where the session counts. */
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
      enabled: () => !isSignedOut.get(), // until then, each would only be refused
      staleTime: FRESH_MS,
      retry: (count, error) => isTransportFault(error) && count < MAX_RETRIES,
      refetchOnWindowFocus: false,
    },
    mutations: { retry: false },
  },
});

/** Whether the call may not have reached the service, so that asking again can help. */
function isTransportFault(error: unknown): boolean {
  const { code, cause } = ConnectError.from(error);
  return code === Code.Unavailable || (code === Code.Unknown && cause instanceof TypeError);
}
