import { html } from "../http/html.js";
import type { HttpAnswer } from "../http/send-answer.js";

export const missingBuild: HttpAnswer = {
  status: 503,
  contentType: "text/html; charset=utf-8",
  headers: ["Cache-Control", "no-store"],
  body: html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<title>The console has not been built</title>
</head>
<body>
<h1>The console has not been built</h1>
<p>This service was started without its console. Run <code>npm run build</code> where it was installed, then reload this page.</p>
</body>
</html>
`.html,
};
