import { failedPrecondition, type Problem } from "#foundation/errors.js";

const reasons: Record<string, string> = {
  EADDRINUSE: "the port is in use",
  EACCES: "this user has no permission to open the port",
  EADDRNOTAVAIL: "this machine does not have that address",
  ENOTFOUND: "the host name is unknown",
};

/** Returns the error for a server that can't listen on its address. The error names the setting to change. */
export function listenProblem(
  listener: {
    protocol: string;
    host: string;
    port: number;
    setting: "HTTP_PORT" | "GRPC_PORT" | "ADMIN_PORT";
  },
  cause: Error,
): Problem {
  const { protocol, host, port, setting } = listener;
  const code = Object.keys(reasons).find((each) => cause.message.includes(each));
  const reason = code === undefined ? cause.message : reasons[code];
  const remedy =
    code === "EADDRNOTAVAIL" || code === "ENOTFOUND"
      ? `Set ${setting === "ADMIN_PORT" ? "ADMIN_HOST or HOST" : "HOST"} to an address of this machine.`
      : `Set ${setting} to another port, or to 0 for any free one.`;
  return failedPrecondition(`${protocol} can't listen on ${host}:${port}: ${reason}. ${remedy}`, {
    cause,
  });
}
