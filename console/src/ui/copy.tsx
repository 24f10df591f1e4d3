import { Check, Copy as CopyIcon } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "./icon-button.tsx";

/** Copies `text`. `label` says what: "Copy address". */
export function Copy({ text, label = "Copy" }: { text: string | (() => string); label?: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => setCopied(await copyText(typeof text === "string" ? text : text()));
  return (
    <>
      <IconButton label={isCopied ? "Copied" : label} icon={isCopied ? Check : CopyIcon} compact onPress={copy} />
      <span role="status" className="sr-only">
        {isCopied && "Copied"}
      </span>
    </>
  );
}

/** Puts text on the clipboard; false when the browser does not allow it. */
export async function copyText(text: string): Promise<boolean> {
  // Only there with TLS or on localhost.
  if (!navigator.clipboard) return copyBySelection(text);
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Inside the open dialog if there is one: it takes the focus back from what is outside of it. */
function copyBySelection(text: string): boolean {
  const focused = document.activeElement as HTMLElement | null;
  const area = document.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  area.style.position = "fixed";
  area.style.opacity = "0";
  (focused?.closest("[role=dialog], [role=alertdialog]") ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  focused?.focus();
  return isCopied;
}
