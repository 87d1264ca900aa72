/** The part of autocannon that the bench uses. The package has no types. */
declare module "autocannon" {
  import type { EventEmitter } from "node:events";

  interface Client {
    setRequests(requests: { path: string; headers?: Record<string, string> }[]): void;
  }

  interface Run extends EventEmitter {
    on(event: "response", listener: (client: Client, status: number) => void): this;
    stop(): void;
  }

  export default function autocannon(
    options: { url: string; connections: number; duration: number; setupClient(client: Client): void },
    done: (error: Error | null) => void,
  ): Run;
}
