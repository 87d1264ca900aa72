/**
 * Beginnings of commands that `documents.long.test.ts` does not run as a reader would, each with the reason or with the
 * test that runs the command in a different way.
 */
export const NOT_FOLLOWED = [
  ["npm ci && npm start", "it runs already"],
  ["npm ci && npm test", "that is what .ci/run does"],
  ["npm ci && npm run build", "the reader's npm start has built it"],
  ["npm ci --omit=dev", "test/main/production-install.long.test.ts"],
  ["npm run postgres", "test/main/production-install.long.test.ts"],
  ["npm run fonts", "test/main/production-install.long.test.ts"],
  ["npm run traces", "test/main/production-install.long.test.ts"],
  ["npm run bench", "it takes long, and a machine that does nothing else"],
  ["find node_modules -name '*.map' -delete", "the reader's packages are those of this machine"],
  ["useradd --system", "it changes this machine"],
  ["install -m 600 /dev/null", "it changes this machine"],
  ["install .deploy/learning-credentials", "it changes this machine: test/main/deploy.slow.test.ts"],
  ["cp .deploy/", "it changes this machine: test/main/deploy.slow.test.ts"],
  ["learning-credentials doctor", "no systemd runs here: test/main/deploy.slow.test.ts"],
  ["export DATABASE_URL=", "it takes a PostgreSQL of the reader's own: test/db/least-privilege.slow.test.ts"],
  ["DATABASE_OWNER_URL=", "it takes a PostgreSQL of the reader's own: test/db/least-privilege.slow.test.ts"],
  ["pg_dump --format=custom", "test/main/next-major.long.test.ts"],
  ["node dist/src/main.js serve --no-worker", "test/main/next-major.long.test.ts"],
  ["NEW=", "test/main/next-major.long.test.ts"],
  ["psql ", "test/main/next-major.long.test.ts"],
  ["pg_restore ", "test/main/next-major.long.test.ts"],
  ["tutor ", "Tutor can't be installed here: test/main/tutor.slow.test.ts"],
  ["./manage.py ", "it runs on an LMS"],
  ["learning-credentials import-from", "test/moving/import-from.long.test.ts"],
  ["npx buf export", "test/main/python.slow.test.ts"],
  ["node dist/src/main.js lti", "it takes LTI_SECRET and a platform: test/lti/registration.test.ts"],
  ["learning-credentials webhooks test", "nobody listens there: test/webhooks/disabled.long.test.ts"],
] as const;

/** Pages that are followed from their beginning to their end, each by a test of its own. */
export const TUTORIALS: ReadonlyMap<string, string> = new Map([
  [".docs/first-credential-from-python.md", "test/main/python.slow.test.ts"],
  [".docs/first-credential-in-the-console.md", "test/main/console-tutorial.slow.test.ts"],
  [".docs/plug-ins.md", "test/main/plug-ins.long.test.ts"],
]);

/** Blocks that are not commands, by their page, language and beginning, each with the test that reads it. */
export const READ_BY = [
  [".docs/getting-started.md", "js", "import { createClient }", "test/client/package.long.test.ts"],
  [".docs/connectors.md", "json5", "[{", "test/connectors/connector.test.ts"],
  [".docs/connectors.md", "json5", '"events"', "test/connectors/connector.test.ts"],
  [".docs/databases.md", "sql", "alter role", "test/main/documents.test.ts"],
  [".docs/digital-credentials.md", "json5", "{", "test/main/documents.test.ts"],
  [".docs/errors.md", "js", "import {", "test/client/package.long.test.ts"],
  [".docs/grpc-api.md", "js", "import {", "test/client/package.long.test.ts"],
  [".docs/grpc-api.md", "php", "<?php", "test/main/python.slow.test.ts"],
  [".docs/high-availability.md", "ini", "DATABASE_URL", "its names are compared with the settings"],
  [".docs/log-of-events.md", "", "curl -sO", "test/credentials/checkpoints/prove-credential.slow.test.ts"],
  [".docs/pages-and-downloads.md", "html", "<script", "test/edges/pages/embed.slow.test.ts"],
  [".docs/sealing.md", "js", "import { execFile }", "test/sealing/hsm.slow.test.ts"],
  [".docs/webhooks.md", "js", "import { createServer }", "test/webhooks/verifiers.slow.test.ts"],
  [".docs/webhooks.md", "py", "import base64", "test/webhooks/verifiers.slow.test.ts"],
  [".docs/webhooks.md", "json5", "{", "test/webhooks/deliver.slow.test.ts"],
] as const;

/** Returns the commands of a block, without comments. After a backslash, a command continues on the next line. */
export function commandsOf(text: string): string[] {
  return [...text.matchAll(/^(?:.*\\\n)*.*$/gm)]
    .map(([command]) => command.trim())
    .filter((command) => command !== "" && !command.startsWith("#"));
}

export const whyNotFollowed = (command: string): string | undefined =>
  NOT_FOLLOWED.find(([begins]) => command.startsWith(begins))?.[1];
