import { createServer } from "node:http";

/** A bare HTTP server in plain JavaScript, which Node runs without compilation. */
createServer((_, response) => response.end()).listen(Number(process.env.HTTP_PORT), "127.0.0.1");
