import { cspHash } from "../http/csp-hash.js";
import { type Html, html } from "../http/html.js";
import { type DescribedOperation, type OpenApi, operationsOf, type Parameter } from "./document.js";
import type { ApiResponse } from "./responses.js";
import type { JsonSchema } from "./schema.js";

const STYLE = `
:root { color-scheme: light dark; --line: #d5d9e0; --soft: #f4f6f9; --quiet: #556070; --accent: #1f5fa8 }
@media (prefers-color-scheme: dark) {
  :root { --line: #3a424e; --soft: #1d232b; --quiet: #a4afbe; --accent: #8fc0f5 }
  body { background: #12161b; color: #e6eaf0 }
}
body { margin: 0 auto; max-width: 58rem; padding: 1.5rem 1rem 4rem; font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere }
h1 { line-height: 1.2; margin-bottom: .5rem }
h2 { margin: 3rem 0 .5rem; padding-top: 1.5rem; border-top: 1px solid var(--line); line-height: 1.3 }
h3 { margin: 1.75rem 0 .5rem }
a { color: var(--accent) }
code, pre { font: .9em/1.5 ui-monospace, monospace }
pre { margin: .5rem 0 1rem; padding: .75rem 1rem; border-radius: .4rem; background: var(--soft); white-space: pre-wrap }
table { width: 100%; border-collapse: collapse; table-layout: fixed }
th, td { padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top }
th:first-child { width: 30% }
thead th { color: var(--quiet); font-size: .85em }
tbody th { font-weight: normal }
small { display: block; color: var(--quiet) }
summary { padding: .35rem 0; cursor: pointer }
.verb { color: var(--accent); font-size: .7em; letter-spacing: .05em }
`;

/** Renders an API description as an HTML page. The page's content security policy allows only its own style. */
export function apiPage(api: OpenApi) {
  const { info, components } = api;
  const operations = operationsOf(api);
  const page = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${info.title}: HTTP API</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<header>
<h1>${info.title}: HTTP API ${info.version}</h1>
${paragraphs(info.description)}
<nav aria-label="Contents">
<ul>
${operations.map(({ path, operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a> <code>${path}</code></li>\n`)}
<li><a href="#tokens">Tokens</a></li>
<li><a href="#objects">Objects</a></li>
<li><a href="../openapi.json">openapi.json</a>: the same in machine-readable form (OpenAPI ${api.openapi})</li>
</ul>
</nav>
</header>
<main>
${operations.map((each) => operationSection(api, each))}
<section aria-labelledby="tokens">
<h2 id="tokens">Tokens</h2>
<p>If a token is required, send it in the header or in both cookies.</p>
${table(
  ["location", "value"],
  Object.values(components.securitySchemes).map((scheme) => [
    html`<code>${"name" in scheme ? scheme.name : "Authorization: Bearer"}</code>`,
    inline(scheme.description),
  ]),
)}
</section>
<section aria-labelledby="objects">
<h2 id="objects">Objects</h2>
${Object.entries(components.schemas).map(([name, schema]) => objectSection(name, schema))}
</section>
</main>
</body>
</html>
`;
  return {
    html: page.html,
    contentSecurityPolicy: `default-src 'none'; style-src ${cspHash(STYLE)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
}

function operationSection(
  api: OpenApi,
  { path, httpMethod, operation }: ReturnType<typeof operationsOf>[number],
): Html {
  const { operationId, summary, description, security, parameters, responses } = operation;
  return html`<section aria-labelledby="${operationId}">
<h2 id="${operationId}">${summary}</h2>
<p><strong class="verb">${httpMethod}</strong> <code>${path}</code></p>
${paragraphs(description)}
<p>${security.length === 0 ? html`Public: no token is required.` : html`Requires a <a href="#tokens">token</a>.`}</p>
<h3>Parameters</h3>
${table(["name", "meaning"], parameters.map(parameterRow))}
<h3>Example</h3>
<pre><code>${curl(api, path, httpMethod, operation)}</code></pre>
<h3>Responses</h3>
${Object.entries(responses).map(([status, response]) => responseDetails(status, response))}
</section>
`;
}

function parameterRow({ name, in: where, required, description, schema }: Parameter): [Html, Html] {
  return [
    html`<code>${name}</code><small>${where}, ${required ? "required" : "optional"}</small>`,
    html`${inline(description)}<small>${typeOf(schema)}</small>`,
  ];
}

function responseDetails(status: string, { description, headers, content }: ApiResponse): Html {
  const isAnswer = status.startsWith("2");
  const body = content?.["application/json"];
  return html`<details${isAnswer ? raw(" open") : undefined}>
<summary><strong>${status}</strong> ${inline(description)}</summary>
${body && html`<p>${typeOf(body.schema)}</p>`}
${Object.entries(headers ?? {}).map(([name, header]) => html`<p><code>${name}</code>: ${inline(header.description)}</p>`)}
${Object.values(body?.examples ?? {}).map(
  ({ summary, value }) => html`<p>${summary}:</p>
<pre><code>${JSON.stringify(value, undefined, 2)}</code></pre>`,
)}
</details>
`;
}

function objectSection(name: string, { description, properties, required }: JsonSchema): Html {
  const rows = Object.entries(properties ?? {}).map(([property, schema]): [Html, Html] => [
    html`<code>${property}</code>${required?.includes(property) ? undefined : html`<small>not always present</small>`}`,
    html`${inline(schema.description ?? "")}<small>${typeOf(schema)}</small>`,
  ]);
  return html`<h3 id="object-${name}">${name}</h3>
${paragraphs(description ?? "")}
${table(["field", "meaning"], rows)}
`;
}

function table([first, second]: readonly [string, string], rows: readonly (readonly [Html, Html])[]): Html {
  return html`<table>
<thead><tr><th scope="col">${first}</th><th scope="col">${second}</th></tr></thead>
<tbody>
${rows.map(([name, meaning]) => html`<tr><th scope="row">${name}</th><td>${meaning}</td></tr>\n`)}</tbody>
</table>`;
}

function typeOf(schema: JsonSchema): Html {
  const { $ref, type, format, enum: values, items, additionalProperties, anyOf } = schema;
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf("/") + 1);
    return html`<a href="#object-${name}">${name}</a>`;
  }
  if (anyOf) return joined(anyOf.map(typeOf), " or ");
  if (values)
    return joined(
      values.map((value) => html`<code>${JSON.stringify(value)}</code>`),
      " or ",
    );
  if (items) return html`array of ${typeOf(items)}`;
  if (additionalProperties) return html`object, each value: ${typeOf(additionalProperties)}`;
  return html`${[type ?? "anything"].flat().join(" or ")}${format && ` (${format})`}`;
}

function joined(parts: readonly Html[], separator: string): Html {
  return html`${parts.map((part, index) => (index === 0 ? part : html`${separator}${part}`))}`;
}

function curl(
  { servers }: OpenApi,
  path: string,
  httpMethod: string,
  { security, parameters }: DescribedOperation,
): string {
  const filled = parameters.reduce(
    (url, { name, example = "" }) => url.replace(`{${name}}`, String(example)),
    path,
  );
  const header = security.length === 0 ? "" : '-H "Authorization: Bearer $TOKEN" ';
  const method = httpMethod === "GET" ? "" : `-X ${httpMethod} `;
  return `curl ${method}${header}${servers[0]?.url}${filled}`;
}

function paragraphs(text: string): Html {
  return html`${text.split("\n\n").map((paragraph) => html`<p>${inline(paragraph)}</p>\n`)}`;
}

/** Renders text in backticks as code. */
function inline(text: string): Html {
  return html`${text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;
}

/** Marks constant text of this file as HTML. */
function raw(text: string): Html {
  return { html: text };
}
