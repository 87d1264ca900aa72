import { createServer } from "node:http";

/** A bare HTTP server in plain JavaScript, which Node starts as it is. */
createServer((_, response) => response.end()).listen(Number(process.env.HTTP_PORT), "127.0.0.1");
