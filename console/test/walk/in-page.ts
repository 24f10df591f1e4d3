// What the walk looks up in a page. These functions run there, so each contains all that it needs.

/** Something that can be pressed. */
export interface Control {
  /** The same after the page was drawn again. */
  key: string;
  name: string;
  /** The top of a page is the same on all tabs of a record, and what is around the page on all pages. */
  place: "page" | "top" | "around";
  /** Sends a form. */
  isSubmit: boolean;
}

export interface Scene {
  pathname: string;
  /** What lies over the page, the last on top: "dialog Add domain". */
  overlays: string[];
  controls: Control[];
  links: string[];
  heading: string;
  hasFocus: boolean;
}

/** The page as it can be used now: what is covered by a dialog cannot. */
export function lookAround(): Scene {
  const options = "[role=option], [role=menuitemcheckbox], [role=menuitemradio]";
  const choices = "[role=combobox], [type=checkbox], [type=radio]";
  const pressable = `button, summary, [role=button], [role=tab], [role=menuitem], ${options}, ${choices}`;
  /** Rows are alike: as many of them are enough. */
  const alike = 2;
  const isUsable = (element: Element) =>
    element.closest("[inert], [aria-hidden=true], [hidden]") === null && element.getClientRects().length > 0;
  const textOf = (element: Element | null | undefined) => (element?.textContent ?? "").replace(/\s+/g, " ").trim();
  const namedBy = (element: Element) =>
    textOf(document.getElementById(element.getAttribute("aria-labelledby")?.split(" ")[0] ?? ""));
  const nameOf = (element: Element) =>
    element.getAttribute("aria-label") ||
    textOf((element as HTMLInputElement).labels?.[0]) ||
    textOf(element) ||
    namedBy(element);
  /** The name of a filter continues with what was chosen. */
  const firstTextOf = (element: Element) =>
    document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode()?.textContent?.trim();
  const placeOf = (element: Element) => {
    if (element.closest("main header")) return "top";
    return element.closest("main, [role=dialog], [role=alertdialog], [role=menu], [role=listbox]") ? "page" : "around";
  };
  const counts = new Map<string, number>();
  const next = (name: string) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count;
  };
  const controls: Control[] = [];
  for (const marked of document.querySelectorAll("[data-walk]")) marked.removeAttribute("data-walk");
  for (const element of document.querySelectorAll(pressable)) {
    if (!isUsable(element)) continue;
    const name = nameOf(element).slice(0, 80);
    const role = element.getAttribute("role") ?? element.tagName.toLowerCase();
    const isOption = element.matches(options);
    const inRow = isOption || element.closest("tr, li, [role=row]") !== null;
    const kindOfRow = isOption ? role : `${role} ${name.split(" ")[0]} ${element.className}`;
    if (inRow && next(kindOfRow) > alike) continue;
    const lasting = element.ariaHasPopup ? firstTextOf(element) || name : name;
    const key = `${role} ${inRow ? `${kindOfRow} ${counts.get(kindOfRow)}` : lasting}`;
    const target = element.matches("[type=checkbox], [type=radio]") ? (element.closest("label") ?? element) : element;
    target.setAttribute("data-walk", String(controls.length));
    controls.push({
      key: `${key} ${next(key)}`,
      name: name || role,
      place: placeOf(element),
      isSubmit: (element as HTMLButtonElement).type === "submit" && element.closest("form") !== null,
    });
  }
  /** What floats around a menu is a dialog too, named by the button that opened it. */
  const isAroundMenu = (element: Element) =>
    element.matches("[role=dialog][data-trigger]") && element.querySelector("[role=menu], [role=listbox]") !== null;
  const overlays = [...document.querySelectorAll("[role=dialog], [role=alertdialog], [role=menu], [role=listbox]")]
    .filter(
      (element) => element.getClientRects().length > 0 && element.closest("main, nav, [inert], [role=region]") === null,
    )
    .filter((element) => !isAroundMenu(element))
    .map((element) => `${element.getAttribute("role")} ${element.getAttribute("aria-label") ?? namedBy(element)}`);
  return {
    pathname: location.pathname,
    overlays,
    controls,
    links: [...document.querySelectorAll<HTMLAnchorElement>("a[href]")]
      .map(({ href }) => href)
      .filter((href) => href.startsWith(location.origin)),
    heading: textOf(document.querySelector("h1")),
    hasFocus: document.activeElement !== null && document.activeElement !== document.body,
  };
}

/** Types into the empty fields that can be seen; `values` has what for names that match, the first that does. */
export function fillFields(values: readonly (readonly [string, string])[]): void {
  const fields = document.querySelectorAll<HTMLInputElement>(
    "input:not([type=checkbox], [type=radio], [type=file]), textarea",
  );
  for (const field of fields) {
    const isUsable =
      field.closest("[inert], [aria-hidden=true], [hidden]") === null && field.getClientRects().length > 0;
    if (!isUsable || field.readOnly || field.value !== "" || field.role === "combobox") continue;
    const name = field.labels?.[0]?.textContent ?? field.getAttribute("aria-label") ?? "";
    const value = values.find(([pattern]) => new RegExp(pattern, "i").test(name))?.[1] ?? "";
    // React listens to the event, and looks whether the value differs from what it set.
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, value);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

/** Where a pointer presses a control, given by its place in `controls`; undefined: it is gone. `isCovered`: by something else. */
export function findTarget(index: number): { x: number; y: number; isCovered: boolean } | undefined {
  const element = document.querySelector(`[data-walk="${index}"]`);
  if (element === null) return undefined;
  const look = () => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const hit = document.elementFromPoint(x, y);
    return { x, y, isCovered: hit === null || !(element.contains(hit) || hit.contains(element)) };
  };
  // Scrolling closes some of what lies over a page.
  if (look().isCovered) element.scrollIntoView({ block: "center", inline: "center" });
  return look();
}

/** Until what the last change led to is drawn, and what moves has arrived. */
export async function drawn(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  // React draws another page in the time that is left.
  await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5_000 }));
  const moving = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations === 1);
  await Promise.allSettled(moving.map(({ finished }) => finished));
}
