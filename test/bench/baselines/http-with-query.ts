import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";

/** A bare HTTP server that responds with the result of a prepared statement: a learner's grades and credentials. */
const text = `
  select
    (select json_agg(json_build_array(assignment_type, earned, possible))
     from subsection_grades where course_key = $1 and username = $2 and not is_deleted) as grades,
    (select json_agg(json_build_array(uuid, verify_uuid, status, created_at))
     from credentials where username = $2 and learning_context_key = $1) as credentials`;

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });

/** Responds to `/<course key>?username=<username>`. */
const server = createServer(async (request, response) => {
  const [path = "", username = ""] = (request.url ?? "").split("?username=");
  const { rows } = await pool.query({ name: "standing", text, values: [path.slice(1), username] });
  const body = Buffer.from(JSON.stringify(rows[0]));
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
