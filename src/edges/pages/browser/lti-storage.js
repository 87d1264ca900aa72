// Binds a launch to this browser with the platform's storage, for browsers that block cookies in frames. The login page
// stores a secret there, and the launch page reads it. Follows 1EdTech's drafts lti-cs-oidc 0.1 and lti-pm-s 0.1.

const WAIT_MS = 1500;
const section = document.querySelector("#lti-storage");
const { mode, frame, origin, key } = section.dataset;
const platform = window.parent === window ? window.opener : window.parent;

/** Sends a message. Resolves with undefined if there is no answer in time. */
function request(target, targetOrigin, message) {
  return new Promise((resolve) => {
    const id = crypto.randomUUID();
    const timer = setTimeout(() => finish(undefined), WAIT_MS);
    function finish(answer) {
      clearTimeout(timer);
      removeEventListener("message", listen);
      resolve(answer);
    }
    function listen({ data, origin: from }) {
      if (data?.message_id !== id || data.subject !== `${message.subject}.response`) return;
      if (targetOrigin === "*" || from === targetOrigin) finish(data);
    }
    addEventListener("message", listen);
    target.postMessage({ ...message, message_id: id }, targetOrigin);
  });
}

/** Returns the platform's frame that stores data. The answer to this message or else the login request has named it. */
async function storageFrame() {
  const answer = await request(platform, "*", { subject: "lti.capabilities" });
  const declared = answer?.supported_messages?.find?.(({ subject }) => subject === "lti.put_data")?.frame;
  const name = typeof declared === "string" ? declared : frame;
  if (name === "_parent" || name === "") return platform;
  try {
    return platform.frames[name] ?? platform;
  } catch {
    return platform;
  }
}

async function exchange(message) {
  if (!platform) return undefined;
  return request(await storageFrame(), origin, message);
}

if (mode === "put") {
  const link = section.querySelector("a");
  await exchange({ subject: "lti.put_data", key, value: section.dataset.value });
  location.replace(link.href);
} else if (mode === "close") {
  // Dynamic registration 1.0 defines this message, which asks the platform to close the window.
  platform?.postMessage({ subject: "org.imsglobal.lti.close" }, "*");
} else {
  const answer = await exchange({ subject: "lti.get_data", key });
  const form = section.querySelector("form");
  if (typeof answer?.value === "string") {
    form.elements.browser.value = answer.value;
    form.submit();
  } else {
    section.querySelector(".moment").hidden = true;
    section.querySelector(".otherwise").hidden = false;
  }
}
