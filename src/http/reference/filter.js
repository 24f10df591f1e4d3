// Hides what does not contain every word of the filter.
const filter = document.getElementById("filter");
const count = document.getElementById("count");
const entries = [...document.querySelectorAll("[data-words]")];
const groups = new Set(entries.map((entry) => entry.closest(".topic, section")));

function apply() {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const entry of entries) {
    const text = entry.dataset.words.toLowerCase();
    entry.hidden = !words.every((word) => text.includes(word));
  }
  for (const group of groups) group.hidden = group.querySelector("[data-words]:not([hidden])") === null;
  const found = entries.filter((entry) => entry.tagName === "LI" && !entry.hidden).length;
  count.textContent = words.length === 0 ? "" : `${found} endpoints`;
}

filter.addEventListener("input", apply);
document.getElementById("search").hidden = false;
apply();
