import { takeFiles } from "./take-files.js";

// Compares a file and copies links. The page hides both functions without this script, or if the browser has no
// `crypto` because the page was loaded over plain HTTP. The script must not contain `<` or `&`, because the page is
// also well-formed XML.

function offerFileCheck(check) {
  const answer = check.querySelector(".answer");
  let latest = 0;

  function say(outcome, name) {
    const words = check.querySelector(`template.${outcome}`).content.cloneNode(true);
    words.querySelector(".file").textContent = name;
    answer.replaceChildren(words);
  }

  async function compare(file) {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
    const sha256 = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
    return sha256 === check.dataset.sha256 ? "identical" : "different";
  }

  async function inspect(file) {
    const turn = ++latest;
    say("checking", file.name);
    const outcome = await compare(file).catch(() => "unreadable");
    if (turn === latest) say(outcome, file.name);
  }

  takeFiles(check, inspect);
  check.querySelector(".drop").hidden = false;
  check.querySelector(".explanation").hidden = false;
  check.querySelector("details").open = false;
}

function offerCopy(button) {
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.link);
    button.nextElementSibling.textContent = button.dataset.copied;
  });
  button.hidden = false;
}

const check = document.querySelector(".file-check");
if (check !== null) if (globalThis.crypto?.subtle) offerFileCheck(check);
if (navigator.clipboard) document.querySelectorAll("[data-link]").forEach(offerCopy);
