"use strict";
// Keys press the buttons of the page. Without this script the buttons and links do the same.

const items = () => [...document.querySelectorAll(".item, .row, .step, .node")];
let at = 0;
let busy = false;

function mark(to) {
  const all = items();
  at = Math.max(0, Math.min(to, all.length - 1));
  all.forEach((one, n) => one.classList.toggle("here", n === at));
  return all;
}

function go(to) {
  const all = mark(to);
  if (!all.length) return;
  const target = all[at].tabIndex < 0 ? all[at].querySelector("a, button") : all[at];
  if (target) target.focus({ preventScroll: true });
  all[at].scrollIntoView({ block: "nearest" });
}

function say(text) {
  const line = document.createElement("p");
  line.textContent = text;
  document.getElementById("said").replaceChildren(line);
}

async function send(form, button) {
  if (busy) return;
  busy = true;
  document.body.setAttribute("aria-busy", "true");
  try {
    const reply = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form, button)) });
    const told = new DOMParser().parseFromString(await reply.text(), "text/html");
    // What was said goes into the element that is there: screen readers announce what changes in it.
    if (told.getElementById("page")) for (const id of ["page", "said"]) {
      document.getElementById(id).replaceChildren(...told.getElementById(id).childNodes);
    } else say("This browser has no key to the page any more: open the address that silt ui printed last.");
    go(at);
  } catch {
    say("silt ui does not answer. Start it again, and see whether your last answer was taken.");
  }
  busy = false;
  document.body.removeAttribute("aria-busy");
}

document.addEventListener("submit", (event) => {
  if (event.target.method !== "post") return;
  event.preventDefault();
  send(event.target, event.submitter);
});

document.addEventListener("focusin", (event) => {
  const found = items().indexOf(event.target.closest(".item, .row, .step, .node"));
  if (found >= 0) mark(found);
});

document.addEventListener("click", (event) => {
  if (event.target.id === "keys") document.getElementById("help").showModal();
});

document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("input:not([type=checkbox]), textarea");
  if (event.ctrlKey || event.metaKey || event.altKey || typing || event.repeat && /^[12bracu]$/.test(event.key)) return;
  if (document.getElementById("help").open || busy) return;
  const here = items()[at];
  const moves = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };
  const button = event.key === "u" ? document.querySelector("#undo button")
    : /^[12brac]$/.test(event.key) && here && here.querySelector(`button[data-key="${event.key}"]`);
  if (event.key in moves) go(at + moves[event.key]);
  else if (event.key === "?") document.getElementById("help").showModal();
  else if (event.key === "/" && document.querySelector("input[type=search]")) document.querySelector("input[type=search]").focus();
  else if (event.key === "Enter" && [here, document.body].includes(event.target) && here && here.querySelector("a")) here.querySelector("a").click();
  else if (button) button.click();
  else return;
  event.preventDefault();
});

mark(0);
