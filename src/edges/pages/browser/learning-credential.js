// The element <learning-credential uuid="…">: picture, verdict and link of a credential, for pages of other sites.
// Input from the page or a response becomes text, or part of a checked URL, but is never parsed as HTML. embed.ts
// replaces WORDS with the language, direction and words of each language.
const languages = WORDS;

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const TIMEOUT_MS = 10_000;

const style = new CSSStyleSheet();
style.replaceSync(`:host{display:inline-block;max-width:26rem;font:1rem/1.4 system-ui,sans-serif}
:host([hidden]){display:none}
div{overflow:hidden;border:1px solid #8886;border-radius:.6rem;background:Canvas;color:CanvasText}
img{display:block;max-width:100%;max-height:18rem;margin:auto}
p{margin:0;padding:.5rem .8rem;overflow-wrap:anywhere}
.v{background:#6d4c0c;color:#fff;font-weight:600}
.ok .v{background:#14633f}
.no .v{background:#9c1f22}
a{color:LinkText}`);

class LearningCredential extends HTMLElement {
  static observedAttributes = ["uuid", "service", "lang"];
  #root = this.attachShadow({ mode: "open" });
  #turn;

  connectedCallback() {
    this.#root.adoptedStyleSheets = [style];
    this.#show();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.#show();
  }

  async #show() {
    // Waits before it reads the attributes, so that several changes cause one request. If an attribute changes later,
    // the pending response is ignored.
    const turn = {};
    this.#turn = turn;
    await 0;
    if (turn !== this.#turn) return;
    const uuid = (this.getAttribute("uuid") ?? "").trim();
    const service = serviceAt(this.getAttribute("service"));
    const isRequested = uuid !== "" && service !== undefined;
    if (!isRequested) return this.#root.replaceChildren();
    const known = UUID.test(uuid) ? await fetchVerification(service, uuid) : { status: "not found" };
    if (turn === this.#turn) this.#root.replaceChildren(card(this, service, uuid, known));
  }
}

/**
 * Returns the service's URL that the page specifies or, if it specifies none, the URL of the service that this script
 * comes from.
 */
function serviceAt(given) {
  try {
    const url = given ? new URL(`${given.replace(/\/+$/, "")}/`) : new URL("..", import.meta.url);
    return /^https?:$/.test(url.protocol) ? url : undefined;
  } catch {
    return undefined;
  }
}

async function fetchVerification(service, uuid) {
  try {
    const response = await fetch(new URL(`api/learning_credentials/v1/metadata/${uuid}/`, service), {
      credentials: "omit",
      referrerPolicy: "no-referrer",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status === 404) return { status: "not found" };
    return response.ok ? await response.json() : {};
  } catch {
    return {};
  }
}

function card(host, service, uuid, known) {
  const wanted = host.closest("[lang]")?.lang.toLowerCase().split("-")[0];
  const [tag, direction, genuine, invalidated, expired, notFound, outOfReach, verify] =
    languages.find(([each]) => each === wanted) ?? languages[0];
  const verdicts = {
    available: ["ok", "✓ ", genuine],
    invalidated: ["no", "✕ ", /^Expired on /.test(known?.invalidation_reason) ? expired : invalidated],
    "not found": ["", "? ", notFound],
  };
  const status = known?.status;
  const [look, sign, words] = Object.hasOwn(verdicts, status) ? verdicts[status] : ["", "… ", outOfReach];
  const page = new URL(`verify/${uuid}/`, service);
  const content = create("div", { className: look, lang: tag, dir: direction });
  if (look === "ok") {
    const picture = create("img", { alt: "", loading: "lazy", referrerPolicy: "no-referrer" });
    picture.onerror = () => picture.remove();
    picture.src = new URL("picture.png", page);
    content.append(picture);
  }
  const icon = create("span", { ariaHidden: "true" }, sign);
  content.append(create("p", { className: "v", role: "status" }, icon, words));
  if (look) {
    const texts = [known.user_full_name, known.learning_context_name].filter(
      (text) => typeof text === "string" && text,
    );
    for (const text of texts) content.append(create("p", {}, create("bdi", {}, text)));
  }
  if (UUID.test(uuid)) {
    const link = create(
      "a",
      { href: page, target: "_blank", rel: "noopener noreferrer" },
      `${verify}: `,
      create("bdi", {}, service.host),
    );
    content.append(create("p", {}, link));
  }
  return content;
}

function create(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

if (!customElements.get("learning-credential"))
  customElements.define("learning-credential", LearningCredential);
