// What Demarc does beyond plain pages. Every page works without it.
"use strict";

(() => {
  const typing = (el) => el.closest("input, textarea, select, [contenteditable]") !== null;

  // "/" goes to the search field, as the key beside it says.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) {
      return;
    }
    const find = document.getElementById("find");
    if (find && find.offsetParent !== null) {
      event.preventDefault();
      find.focus();
      find.select();
    }
  });

  // A menu of the bar closes when the focus or a click leaves it, and on Escape.
  const close = (keep) => {
    for (const menu of document.querySelectorAll("details[data-menu][open]")) {
      if (!keep || !menu.contains(keep)) {
        menu.open = false;
      }
    }
  };
  document.addEventListener("click", (event) => close(event.target));
  document.addEventListener("focusin", (event) => close(event.target));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") {
      return;
    }
    const open = document.querySelector("details[data-menu][open]");
    if (open) {
      open.open = false;
      open.querySelector("summary").focus();
    }
  });

  // A copy button copies the field or the text it names and says so.
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button[data-copy]");
    if (!button) {
      return;
    }
    const source = document.getElementById(button.dataset.copy);
    const text = source.value === undefined ? source.textContent : source.value;
    try {
      await navigator.clipboard.writeText(text.trim());
      button.lastChild.textContent = "Copied";
    } catch {
      if (source.select) {
        source.select();
      } else {
        getSelection().selectAllChildren(source);
      }
    }
  });
  for (const button of document.querySelectorAll("button[data-copy]")) {
    button.hidden = false;
  }
})();
