import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  exportJWK,
  generateKeyPair,
  type JSONWebKeySet,
  type JWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from "jose";
import { listen, shut } from "../support/listen.js";

const P = "https://purl.imsglobal.org/spec/lti/claim/";
const DEEP_LINKING = "https://purl.imsglobal.org/spec/lti-dl/claim/";
const MEMBERSHIP = "http://purl.imsglobal.org/vocab/lis/v2/membership#";

/** The learner or teacher in a launch, and the course from which it starts. */
export interface Launch {
  readonly sub?: string;
  readonly name?: string;
  readonly email?: string;
  readonly locale?: string;
  readonly roles?: readonly string[];
  readonly context?: { readonly id: string; readonly label?: string; readonly title?: string };
  readonly deploymentId?: string;
  /** Claims that replace the platform's claims or are added to them. Undefined removes a claim. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

export interface FakeColumn {
  readonly id: string;
  readonly label: string;
  readonly scoreMaximum: number;
  readonly resourceId?: string;
  /** Scores by the platform's id of the person, with the seconds of their timestamps. */
  readonly scores: Map<string, { readonly score: number; readonly at: number }>;
}

/** How the token of a launch is signed, if not as the platform signs tokens. */
export interface Signing {
  readonly alg?: string;
  readonly kid?: string;
  readonly key?: Parameters<SignJWT["sign"]>[0];
  readonly header?: Readonly<Record<string, unknown>>;
}

/** The product that the fake platform imitates. `openedx11` is Open edX with xblock-lti-consumer 11.4.0 or later. */
export type Product = "canvas" | "moodle" | "openedx" | "openedx11";

/** A platform that launches tools and responds to their requests. */
export interface FakePlatform {
  readonly url: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly jwksUrl: string;
  readonly configurationUrl: string;
  readonly keyRequests: () => number;
  /** The registrations that tools have sent. */
  readonly registrations: unknown[];
  /** Members of courses by the id of the course. */
  readonly members: Map<string, object[]>;
  /** Responses that replace lists of members, by the id of the course. */
  readonly memberAnswers: Map<string, { status: number; body: unknown; link?: string }>;
  /** Columns of gradebooks, by the id of the course. */
  readonly columns: Map<string, FakeColumn[]>;
  /** Statuses with which requests for columns or scores are refused, by the id of the course. */
  readonly gradeAnswers: Map<string, number>;
  /** Requests to gradebooks: the method and the end of the path. */
  readonly gradeRequests: string[];
  /** Number of access tokens that were issued. Only the last one is valid. */
  readonly tokens: () => number;
  /** Invalidates the last token as well. */
  expireTokens(): void;
  readonly memberRequests: () => number;
  /** The parameters with which the platform begins a login. */
  loginParameters(tool: string, launch?: Launch): URLSearchParams;
  /**
   * Returns the form that the browser posts to the tool after the authentication request.
   * @param request the tool's authentication request
   */
  authorize(request: URL, launch?: Launch, signing?: Signing): Promise<URLSearchParams>;
  rotateKey(): Promise<void>;
  /** Sets the keys of a tool that was registered by hand, or the URL at which the tool publishes them. */
  setToolKeys(keys: string | JSONWebKeySet): void;
  /** Content that was placed in courses by deep linking. */
  readonly placed: unknown[];
  /** Functions that respond instead of the platform, by path. */
  readonly impostors: Map<string, (request: IncomingMessage, response: ServerResponse) => void>;
  /** Pages that the platform shows, by path. */
  readonly pages: Map<string, string>;
  /** Launches that a browser can request, by `login_hint`. */
  readonly launches: Map<string, Launch>;
  close(): Promise<void>;
}

/**
 * Starts a platform. It imitates the behaviour of the following sources (file, commit, class or function) of
 * instructure/canvas-lms, moodle/moodle and openedx/xblock-lti-consumer.
 *
 * Login, authentication and registration:
 * - Canvas: `app/controllers/lti/ims/authentication_controller.rb` (00b222d7, AuthenticationController):
 *   REQUIRED_PARAMS, `scope` must be `openid`, errors are posted with `state`. Claims:
 *   `lib/lti/messages/jwt_message.rb` (19c58a7d, JwtMessage). Storage: `lib/lti/platform_storage.rb` (049055dc).
 * - Moodle: `mod/lti/auth.php` (8a8221f5) and `mod/lti/locallib.php` (lti_build_login_request): the hint is JSON, and
 *   `lti_deployment_id` is the number of the tool. Registration:
 *   `mod/lti/classes/local/ltiopenid/registration_helper.php` (84e90d5d, registration_helper).
 * - Open edX: `lti_consumer/lti_1p3/consumer.py` (a866ea51, LtiConsumer1p3): `azp` is always present,
 *   `preferred_username` only if it is permitted. `key_handlers.py` (01e5722c, PlatformKeyHandler): the published key
 *   has no `alg`, and neither the key nor the header has a `kid`. In later versions (e86791e6), both have a
 *   `kid`.
 *
 * Members:
 * - Moodle: `mod/lti/service/memberships/classes/local/service/memberships.php` (00b2219f, memberships): the status is
 *   always `Active`, and the next link keeps `limit` and `from`.
 * - Canvas: `app/controllers/lti/ims/names_and_roles_controller.rb` (0ec64471): a page has at most 50 members.
 * - Open edX: `lti_consumer/plugin/views.py` (01e5722c, LtiNrpsContextMembershipViewSet): one response without links,
 *   and 403 `above_response_limit` if there are more members than COURSE_MEMBER_API_ENROLLMENT_LIMIT.
 *   Later versions (e86791e6) have pages.
 *
 * Columns and scores:
 * - Moodle, `mod/lti/service/gradebookservices/classes/local/resources/`: `lineitems.php` (27cbb596, lineitems): media
 *   types must match exactly, and every address contains `type_id`. `scores.php` (98645b5b, scores): 409 for a
 *   timestamp of the same second, and 400 for a person whom Moodle does not grade.
 * - Canvas: `app/controllers/lti/ims/line_items_controller.rb` (0e3ddfd4, LineItemsController) and
 *   `scores_controller.rb` (02bc7b36, ScoresController): 400 for an earlier timestamp.
 *
 * Deep linking:
 * - Canvas: `app/controllers/lti/ims/deep_linking_controller.rb` (018d0a35, DeepLinkingController): a single link is
 *   passed to the page that contains the frame. `concerns/deep_linking_services.rb` (a76dc424, DeepLinkingJwt): `iss`
 *   is the client, `aud` is the issuer, and a nonce is required.
 * - Not imitated: Moodle's `mod/lti/contentitem_return.php` (27cbb596), and Open edX's
 *   `lti_consumer/lti_1p3/deep_linking.py` (28665332).
 *
 * The labels in `.docs/lti.md`: Moodle, `mod/lti/lang/en/lti.php` (005b2bc8) and
 * `mod/lti/service/gradebookservices/lang/en/ltiservice_gradebookservices.php` (27cbb596); Open edX,
 * `lti_consumer/lti_xblock.py` (e86791e6); Sakai, `lti/lti-tool/src/bundle/ltitool.properties` (04a17c26) and
 * `lti/lti-impl/src/bundle/ltiservice.properties` (0f92e549).
 */
export async function startFakePlatform(
  options: {
    readonly product?: Product;
    readonly port?: number;
    readonly issuer?: string;
    readonly tls?: { readonly key: string; readonly cert: string };
  } = {},
): Promise<FakePlatform> {
  const { product = "moodle" } = options;
  const isOpenEdx = product.startsWith("openedx");
  const clientId = product === "canvas" ? "10000000000001" : randomUUID();
  let keys = [await newKey(product)];
  let keyRequests = 0;
  const registrations: unknown[] = [];
  const members = new Map<string, object[]>();
  const memberAnswers: FakePlatform["memberAnswers"] = new Map();
  let tokens = 0;
  let current = 0;
  let memberRequests = 0;
  let toolKeys: string | JSONWebKeySet | undefined;
  const placed: unknown[] = [];
  const columns = new Map<string, FakeColumn[]>();
  const gradeAnswers = new Map<string, number>();
  const gradeRequests: string[] = [];
  const impostors: FakePlatform["impostors"] = new Map();
  const pages = new Map<string, string>();
  const launches = new Map<string, Launch>();
  const server = createServer((request, response) => {
    handle(request, response).catch((error) => response.writeHead(500).end(String(error)));
  });
  const url = `http://127.0.0.1:${await listen(server, options.port)}`;
  const issuer = options.issuer ?? url;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "", url);
    const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
      response
        .writeHead(status, { "content-type": "application/json", ...headers })
        .end(JSON.stringify(body));
    const impostor = impostors.get(pathname);
    if (impostor) return impostor(request.resume(), response);
    const page = pages.get(pathname);
    if (page !== undefined) response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
    else if (pathname === "/jwks") {
      keyRequests++;
      json(200, { keys: keys.map(({ jwk }) => jwk) });
    } else if (pathname === "/auth") {
      const parameters = new URL(request.url ?? "", url);
      const form = await authorize(parameters, launches.get(searchParams.get("login_hint") ?? ""));
      const fields = [...form].map(
        ([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}"/>`,
      );
      response
        .writeHead(200, { "content-type": "text/html; charset=utf-8" })
        .end(
          `<form method="post" action="${searchParams.get("redirect_uri")}">${fields.join("")}</form><script>document.forms[0].submit()</script>`,
        );
    } else if (pathname === "/openid-configuration") json(200, configuration());
    else if (pathname === "/register") await register(request, json);
    else if (pathname === "/token") await token(request, json);
    else if (pathname === "/deep-links") await place(request, response);
    else if (pathname.startsWith("/members/")) listMembers(request, pathname.slice(9), searchParams, json);
    else if (pathname.startsWith("/lineitems/")) await gradeBook(request, json);
    else response.writeHead(404).end();
  }

  async function gradeBook(request: IncomingMessage, json: Json): Promise<unknown> {
    const { pathname, searchParams } = new URL(request.url ?? "", url);
    const [, , courseId = "", columnId, , end] = pathname.split("/").map(decodeURIComponent);
    gradeRequests.push(`${request.method} ${end ?? "lineitems"}`);
    if (request.headers.authorization !== `Bearer access token ${current}`) return json(401, {});
    if (product === "moodle" && searchParams.get("type_id") !== "7") return json(403, {});
    const other = gradeAnswers.get(courseId);
    if (other !== undefined) return json(other, {});
    const all = columns.get(courseId) ?? [];
    columns.set(courseId, all);
    const type = request.method === "GET" ? request.headers.accept : request.headers["content-type"];
    const needed =
      end === "scores"
        ? "application/vnd.ims.lis.v1.score+json"
        : `application/vnd.ims.lis.v2.lineitem${request.method === "GET" ? "container" : ""}+json`;
    if (type !== needed) return json(400, {});
    const shown = ({ scores, ...column }: FakeColumn) => column;
    if (request.method === "GET") {
      const parameters = searchParams.get("resource_id");
      return json(
        200,
        all.filter(({ resourceId }) => parameters === null || resourceId === parameters).map(shown),
      );
    }
    const postedBody = JSON.parse(await text(request));
    if (end !== "scores") {
      if (typeof postedBody.scoreMaximum !== "number" || !postedBody.label) return json(400, {});
      const query = product === "moodle" ? "?type_id=7" : "";
      const id = `${url}/lineitems/${encodeURIComponent(courseId)}/${all.length + 1}/lineitem${query}`;
      const column = { ...postedBody, id, scores: new Map() };
      all.push(column);
      return json(201, shown(column));
    }
    const column = all.find(({ id }) => id.includes(`/${columnId}/lineitem`));
    if (!column) return json(404, {});
    const at = new Date(postedBody.timestamp).getTime();
    const isKnown = members
      .get(courseId)
      ?.some((one) => (one as { user_id?: unknown }).user_id === postedBody.userId);
    if (Number.isNaN(at) || !postedBody.gradingProgress || !postedBody.activityProgress || !isKnown)
      return json(400, {});
    const before = column.scores.get(postedBody.userId)?.at ?? 0;
    // Moodle compares whole seconds.
    if (product === "moodle" ? Math.floor(before / 1000) >= Math.floor(at / 1000) : before > at)
      return json(product === "moodle" ? 409 : 400, {});
    column.scores.set(postedBody.userId, { score: postedBody.scoreGiven / postedBody.scoreMaximum, at });
    return json(200, {});
  }

  function configuration() {
    return {
      issuer,
      token_endpoint: `${url}/token`,
      token_endpoint_auth_methods_supported: ["private_key_jwt"],
      token_endpoint_auth_signing_alg_values_supported: ["RS256"],
      jwks_uri: `${url}/jwks`,
      authorization_endpoint: `${url}/auth`,
      registration_endpoint: `${url}/register`,
      scopes_supported: [
        "openid",
        "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly",
      ],
      response_types_supported: ["id_token"],
      subject_types_supported: ["public", "pairwise"],
      id_token_signing_alg_values_supported: ["RS256"],
      claims_supported: ["sub", "iss", "name", "given_name", "family_name", "email"],
      "https://purl.imsglobal.org/spec/lti-platform-configuration": {
        product_family_code: product,
        version: "4.5",
        messages_supported: [{ type: "LtiResourceLinkRequest" }],
        variables: ["basic-lti-launch-request"],
      },
    };
  }

  async function register(request: IncomingMessage, json: Json): Promise<unknown> {
    if (request.headers.authorization !== "Bearer the registration token") return json(401, {});
    const postedBody = JSON.parse(await text(request));
    const tool = postedBody["https://purl.imsglobal.org/spec/lti-tool-configuration"];
    for (const [at, name] of [
      [postedBody, "response_types"],
      [postedBody, "initiate_login_uri"],
      [postedBody, "redirect_uris"],
      [postedBody, "client_name"],
      [postedBody, "jwks_uri"],
      [tool, "domain"],
      [tool, "target_link_uri"],
    ])
      if (!at?.[name]) return json(400, { message: `missing required attribute ${name}` });
    if (postedBody.token_endpoint_auth_method !== "private_key_jwt") return json(400, {});
    registrations.push(postedBody);
    return json(200, {
      client_id: clientId,
      token_endpoint_auth_method: "private_key_jwt",
      redirect_uris: postedBody.redirect_uris,
      scope: postedBody.scope,
      "https://purl.imsglobal.org/spec/lti-tool-configuration": { deployment_id: "5", domain: tool.domain },
    });
  }

  function keysOfTool() {
    const keys = toolKeys ?? (registrations.at(-1) as { jwks_uri: string } | undefined)?.jwks_uri ?? "";
    return typeof keys === "string" ? createRemoteJWKSet(new URL(keys)) : createLocalJWKSet(keys);
  }

  async function place(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const message = new URLSearchParams(await text(request)).get("JWT") ?? "";
    const { payload } = await jwtVerify(message, keysOfTool(), {
      issuer: clientId,
      audience: issuer,
      maxTokenAge: "5 min",
      requiredClaims: ["nonce", "exp"],
    });
    const items = payload[`${DEEP_LINKING}content_items`];
    placed.push(items);
    const postedBody = JSON.stringify({ subject: "LtiDeepLinkingResponse", content_items: items });
    response
      .writeHead(200, { "content-type": "text/html; charset=utf-8" })
      .end(
        `<!doctype html><title>Placed</title><script>parent.postMessage(${postedBody}, location.origin)</script>`,
      );
  }

  async function token(request: IncomingMessage, json: Json): Promise<unknown> {
    const form = new URLSearchParams(await text(request));
    try {
      await jwtVerify(form.get("client_assertion") ?? "", keysOfTool(), {
        issuer: clientId,
        subject: clientId,
        audience: `${url}/token`,
        algorithms: ["RS256"],
      });
    } catch {
      return json(400, { error: "invalid_client" });
    }
    current = ++tokens;
    json(200, {
      access_token: `access token ${current}`,
      token_type: "Bearer",
      expires_in: 3600,
      scope: form.get("scope"),
    });
  }

  function listMembers(request: IncomingMessage, id: string, query: URLSearchParams, json: Json): unknown {
    if (request.headers.authorization !== `Bearer access token ${current}`) return json(401, {});
    memberRequests++;
    const other = memberAnswers.get(id);
    if (other) return json(other.status, other.body, other.link === undefined ? {} : { link: other.link });
    const all = members.get(id) ?? [];
    // Canvas returns at most 50 members. Moodle, and Open edX since 2026, divide the list into pages only if the
    // request contains a limit.
    const parameters = product === "openedx" ? all.length : Number(query.get("limit") ?? all.length);
    const limit = product === "canvas" ? Math.min(parameters, 50) : parameters;
    const page = Number(query.get("page") ?? 1);
    const from = product === "openedx11" ? (page - 1) * limit : Number(query.get("from") ?? 0);
    const shown = all.slice(from, from + limit);
    const onwards = product === "openedx11" ? `page=${page + 1}` : `from=${from + limit}`;
    const next = `${url}/members/${id}?limit=${limit}&${onwards}`;
    return json(
      200,
      { id: `${url}/members/${id}`, context: { id }, members: shown },
      from + limit < all.length ? { link: `<${next}>; rel="next"` } : {},
    );
  }

  function loginParameters(tool: string, launch: Launch = {}): URLSearchParams {
    const { sub = "7", deploymentId = "5" } = launch;
    return new URLSearchParams({
      iss: issuer,
      target_link_uri: `${tool}/lti/launch`,
      login_hint: sub,
      lti_message_hint:
        product === "moodle" ? JSON.stringify({ cmid: 3, launchid: "ltilaunch1_2" }) : "a hint",
      client_id: clientId,
      [product === "canvas" ? "deployment_id" : "lti_deployment_id"]: deploymentId,
    });
  }

  async function authorize(
    request: URL,
    launch: Launch = {},
    signing: Signing = {},
  ): Promise<URLSearchParams> {
    const parameters = request.searchParams;
    const state = parameters.get("state") ?? "";
    const needed =
      "client_id login_hint lti_message_hint nonce prompt redirect_uri response_mode response_type scope";
    const missing = needed.split(" ").filter((name) => !parameters.get(name));
    if (missing.length > 0 || parameters.get("scope") !== "openid")
      return new URLSearchParams({
        error: "invalid_request_object",
        error_description: `The following parameters are missing: ${missing.join(",")}`,
        state,
      });
    const now = Math.floor(Date.now() / 1000);
    const { sub = "7", roles = ["Learner"], deploymentId = "5" } = launch;
    const context = launch.context ?? { id: "2", label: "AST101", title: "Astronomy" };
    const claims: Record<string, unknown> = {
      iss: issuer,
      aud: clientId,
      ...(isOpenEdx && { azp: clientId }),
      sub,
      iat: now,
      exp: now + (product === "moodle" ? 60 : 3600),
      nonce: parameters.get("nonce"),
      [`${P}version`]: "1.3.0",
      [`${P}message_type`]: "LtiResourceLinkRequest",
      [`${P}deployment_id`]: deploymentId,
      [`${P}target_link_uri`]: parameters.get("redirect_uri"),
      [`${P}roles`]: roles.map((role) => (role.includes(":") ? role : `${MEMBERSHIP}${role}`)),
      [`${P}context`]: { ...context, type: ["http://purl.imsglobal.org/vocab/lis/v2/course#CourseOffering"] },
      [`${P}resource_link`]: { id: "1" },
      [`${P}launch_presentation`]: {
        document_target: "iframe",
        return_url: `${url}/return`,
        ...(launch.locale !== undefined && { locale: launch.locale }),
      },
      ...(!isOpenEdx && {
        name: "Ana Kovač",
        given_name: "Ana",
        family_name: "Kovač",
        email: "ana@example.org",
      }),
      ...(launch.name !== undefined && { name: launch.name }),
      ...(launch.email !== undefined && { email: launch.email }),
      "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice": {
        context_memberships_url: `${url}/members/${context.id}`,
        service_versions: ["2.0"],
      },
      "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint": {
        scope: ["lineitem", "result.readonly", "score"].map(
          (scope) => `https://purl.imsglobal.org/spec/lti-ags/scope/${scope}`,
        ),
        lineitems: `${url}/lineitems/${encodeURIComponent(context.id)}${product === "moodle" ? "?type_id=7" : ""}`,
      },
      ...launch.claims,
    };
    for (const [name, value] of Object.entries(claims)) if (value === undefined) delete claims[name];
    const [current] = keys;
    if (!current) throw new Error("the platform has no key");
    const { alg = "RS256", kid = current.jwk.kid, key = current.privateKey, header } = signing;
    const token = await new SignJWT(claims as JWTPayload)
      .setProtectedHeader({ alg, ...(kid !== undefined && { kid }), ...header })
      .sign(key);
    return new URLSearchParams({ id_token: token, state });
  }

  return {
    url,
    issuer,
    clientId,
    authorizationUrl: `${url}/auth`,
    tokenUrl: `${url}/token`,
    jwksUrl: `${url}/jwks`,
    configurationUrl: `${url}/openid-configuration`,
    keyRequests: () => keyRequests,
    registrations,
    members,
    memberAnswers,
    columns,
    gradeAnswers,
    gradeRequests,
    tokens: () => tokens,
    expireTokens() {
      current = 0;
    },
    memberRequests: () => memberRequests,
    impostors,
    pages,
    launches,
    loginParameters,
    authorize,
    setToolKeys(keys) {
      toolKeys = keys;
    },
    placed,
    async rotateKey() {
      keys = [await newKey(product)];
    },
    close: () => shut(server),
  };
}

type Json = (status: number, body: unknown, headers?: Record<string, string>) => unknown;

async function newKey(product: Product) {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  const bare = await exportJWK(publicKey);
  const jwk: JWK =
    product === "openedx"
      ? { ...bare, use: "sig" }
      : { ...bare, kid: randomUUID(), ...(product !== "openedx11" && { alg: "RS256", use: "sig" }) };
  return { privateKey, jwk };
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
