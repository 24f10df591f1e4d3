// Before the first paint: the chosen theme, otherwise the system's.
{
  let chosen = null;
  try {
    chosen = localStorage.getItem("theme");
  } catch {}
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = chosen === "dark" || (chosen !== "light" && dark) ? "dark" : "light";
}
