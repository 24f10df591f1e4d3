// The page reads well without this: it adds search, keys, the theme switch and copying.
(() => {
  const search = document.getElementById("search");
  const links = [...document.querySelectorAll("#toc a")];
  const articles = links.map((link) => document.getElementById(link.hash.slice(1)));
  const root = document.documentElement;

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    links.forEach((link, at) => {
      const isMatch = words.every((word) => link.dataset.text.includes(word));
      link.parentElement.hidden = articles[at].hidden = !isMatch;
    });
    for (const section of document.querySelectorAll("#toc section, section.tag")) {
      section.hidden = !section.querySelector("#toc li:not([hidden]), article:not([hidden])");
    }
    document.getElementById("nothing").hidden = visible().length > 0;
  }

  function visible() {
    return articles.filter((article) => !article.hidden);
  }

  function open(article) {
    if (!article) return;
    history.replaceState(null, "", `#${article.id}`);
    article.scrollIntoView();
    article.focus({ preventScroll: true });
    mark(article);
  }

  function mark(article) {
    links.forEach((link, at) => {
      link.classList.toggle("current", articles[at] === article);
    });
    links[articles.indexOf(article)]?.scrollIntoView({ block: "nearest" });
  }

  function step(by) {
    const all = visible();
    const at = all.findIndex((article) => article.getBoundingClientRect().bottom > 60);
    const current = all.indexOf(document.activeElement?.closest?.("article"));
    open(all[Math.min(all.length - 1, Math.max(0, (current >= 0 ? current : at - Math.max(by, 0)) + by))]);
  }

  function switchTheme() {
    const isDark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
    localStorage.setItem("docs-theme", root.dataset.theme);
  }

  const keys = {
    "/": () => {
      search.focus();
      search.select();
    },
    j: () => step(1),
    k: () => step(-1),
    t: switchTheme,
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target === search) {
      if (event.key === "Escape") {
        search.value = "";
        filter();
        search.blur();
      } else if (event.key === "Enter") open(visible()[0]);
      return;
    }
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  document.addEventListener("click", (event) => {
    if (!event.target.matches(".copy")) return;
    const button = event.target;
    navigator.clipboard?.writeText(button.closest("figure").querySelector("pre").textContent).then(() => {
      button.textContent = "Copied";
      setTimeout(() => {
        button.textContent = "Copy";
      }, 1500);
    });
  });

  addEventListener("hashchange", () => mark(document.getElementById(location.hash.slice(1))));
  search.addEventListener("input", filter);
  document.getElementById("theme").addEventListener("click", switchTheme);
  const theme = localStorage.getItem("docs-theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
})();
