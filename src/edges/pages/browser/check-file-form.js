import { readJson } from "#foundation/text/read-json.ts";
import { dayInWords } from "../words-of-dates.ts";
import { checkFile } from "./check-file.js";
import { checkProof, proofTextIn } from "./check-proof.js";
import { takeFiles } from "./take-files.js";

// The script of the form that checks files. Paths are relative, because a proxy may serve the service below a path.

const CALL = "../learning_credentials.v1.CredentialService/";

/** The browser would freeze with a larger file. */
const MAX_FILE = 64 * 1024 * 1024;

async function json(path, init) {
  const answer = await fetch(path, init);
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}`);
  return readJson(await answer.text());
}

const call = (method, request) =>
  json(CALL + method, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  });

const service = {
  issuer: () => call("GetIssuer", {}),
  statusList: (number) => json(`../status/${number}`, { cache: "no-cache" }),
  async byChecksum(fileSha256) {
    const { verdict, credential, credentialType, verifyUuid } = await call("VerifyCredential", {
      fileSha256,
    });
    if (!credential) return { verdict };
    const { userFullName: holder = "", createTime: issued = "", learningContextName } = credential;
    const facts = {
      holder,
      credential: `${credentialType}: ${learningContextName}`,
      issued,
      verifyUuid,
    };
    return { verdict, facts };
  },
};

function offer(section) {
  /** Formats a day in the same way as other pages of the service. */
  function dayOf(moment) {
    const date = new Date(moment);
    if (Number.isNaN(date.getTime())) return "";
    return dayInWords(date, section.dataset.timeZone, document.documentElement.lang);
  }

  const answer = section.querySelector(".answer");
  let latest = 0;
  /** The last chosen file and the last chosen proof. Checking a proof requires both. */
  let held = {};

  function say({ outcome, facts, origin, badges, isPage }, name) {
    const words = section.querySelector(`template.${outcome}`).content.cloneNode(true);
    words.querySelector(".file").textContent = name;
    const list = words.querySelector("dl");
    if (list !== null && facts === undefined) list.remove();
    if (list !== null && facts !== undefined) {
      const shown = { ...facts, issued: dayOf(facts.issued) };
      for (const each of list.querySelectorAll("[class]")) each.textContent = shown[each.className] || "–";
      if (facts.verifyUuid) list.querySelector("a").href = pageOf(facts);
    }
    if (badges) {
      const parts = words.querySelector(".badges");
      const part = parts.querySelector("template").content;
      for (const badge of badges) parts.append(fillPart(badge, part.cloneNode(true), parts.dataset));
      if (!isPage) words.querySelector(".caution").remove();
    }
    const log = words.querySelector(".origin");
    if (log !== null) log.textContent = origin ?? "–";
    answer.replaceChildren(words);
  }

  function pageOf({ verifyUuid }) {
    return `${verifyUuid}/${location.search}`;
  }

  /** @param sentences the sentence for each outcome */
  function fillPart({ outcome, facts }, part, sentences) {
    const link = part.querySelector("a");
    link.textContent = facts?.credential || "–";
    if (facts?.verifyUuid) link.href = pageOf(facts);
    const sentence = part.querySelector("strong");
    sentence.textContent = sentences[outcome] ?? sentences.unchecked;
    sentence.className = outcome;
    return part;
  }

  async function check(bytes) {
    const text = proofTextIn(bytes);
    held = text === undefined ? { ...held, pdf: bytes } : { ...held, proof: text };
    if (held.proof === undefined) return checkFile(bytes, service);
    if (held.pdf === undefined) return { outcome: "proof-alone" };
    const { pdf, proof } = held;
    held = {};
    return checkProof(pdf, proof, section.dataset.logKeys.split(" ").filter(Boolean));
  }

  async function inspect(file) {
    const turn = ++latest;
    say({ outcome: "checking" }, file.name);
    let checked = { outcome: "unknown" };
    try {
      if (file.size > MAX_FILE) throw new Error("too large");
      checked = await check(new Uint8Array(await file.arrayBuffer()));
    } catch {
      checked = { outcome: "unreadable" };
    }
    if (turn === latest) say(checked, file.name);
  }

  takeFiles(section, inspect);
  for (const each of section.querySelectorAll("[hidden]")) each.hidden = false;
  section.querySelector(".unscripted").hidden = true;
}

const section = document.querySelector(".any-file");
if (section !== null && globalThis.crypto?.subtle) offer(section);
