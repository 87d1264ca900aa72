import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { onTestFinished } from "vitest";

/** An email as it reached the server. */
export interface Received {
  readonly from: string | undefined;
  readonly to: readonly string[];
  readonly raw: Buffer;
  readonly isSecure: boolean;
  readonly user: string | undefined;
}

/**
 * The server's response at one step of the next email. Undefined accepts the step, "drop" closes the connection without
 * a response, and "hang" never responds. With a promise, the server accepts the step when the promise resolves.
 */
type Answer = string | "drop" | "hang" | Promise<void> | undefined;

/** A real SMTP server on loopback. It stops at the end of the test. */
export interface SmtpSink {
  readonly port: number;
  /** The emails that were accepted, and those that arrived completely before their connection was dropped. */
  readonly received: Received[];
  readonly connections: () => number;
  /** The next responses to MAIL FROM, RCPT TO and the data, such as `550 5.1.1 nobody here`. */
  readonly answers: { mailFrom: Answer[]; rcptTo: Answer[]; data: Answer[] };
}

/**
 * @param tls whether TLS starts with the first byte, after STARTTLS, or never. The certificate is not trusted
 * @param login the only username and password that are accepted. Clients must then log in
 * @param port 0 picks a free port
 */
export async function startSmtpSink(
  tls: "tls" | "starttls" | "none" = "none",
  login?: { user: string; pass: string },
  port = 0,
): Promise<SmtpSink> {
  const received: Received[] = [];
  const answers: SmtpSink["answers"] = { mailFrom: [], rcptTo: [], data: [] };
  const sockets = new Set<Socket>();
  let connections = 0;

  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  const answer = (next: Answer[], accept: (error?: Error) => void) => {
    const reply = next.shift();
    if (reply === undefined) return accept();
    if (reply === "drop") return drop();
    if (reply === "hang") return;
    if (typeof reply !== "string") return void reply.then(() => accept());
    const [, responseCode, message] = /^(\d{3}) (.*)$/s.exec(reply) ?? [];
    accept(Object.assign(new Error(message), { responseCode: Number(responseCode) }));
  };

  const server = new SMTPServer({
    secure: tls === "tls",
    hideSTARTTLS: tls !== "starttls",
    authOptional: login === undefined,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    logger: false,
    onAuth: ({ username, password }, _session, callback) => {
      const isKnown = username === login?.user && password === login?.pass;
      callback(isKnown ? null : new Error("Invalid username or password"), { user: username ?? "" });
    },
    onMailFrom: (_address, _session, callback) => answer(answers.mailFrom, callback),
    onRcptTo: (_address, _session, callback) => answer(answers.rcptTo, callback),
    onData: async (stream, { envelope, secure, user }, callback) => {
      const raw = await buffer(stream).catch(() => undefined);
      if (raw === undefined) return; // the client was killed
      const { mailFrom, rcptTo } = envelope;
      const isRefused = /^[45]/.test(String(answers.data[0]));
      if (!isRefused) {
        received.push({
          from: mailFrom ? mailFrom.address : undefined,
          to: rcptTo.map(({ address }) => address),
          raw,
          isSecure: secure,
          user,
        });
      }
      answer(answers.data, callback);
    },
  });
  server.on("error", () => {}); // ignores clients that hang up
  server.server.on("connection", (socket) => {
    connections++;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(port, "127.0.0.1");
  await once(server.server, "listening");
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port: listened } = server.server.address() as AddressInfo;
  return { port: listened, received, connections: () => connections, answers };
}
