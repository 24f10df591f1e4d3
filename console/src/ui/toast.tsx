import { CircleAlert, CircleCheck, Info, X } from "lucide-react";
import {
  UNSTABLE_Toast as AriaToast,
  Text,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from "react-aria-components";
import { classNames } from "./class-names.ts";
import { IconButton } from "./icon-button.tsx";
import { Link } from "./link.tsx";

export interface ToastText {
  /** "Deployed Shop in 8 s" */
  text: string;
  tone?: "ok" | "bad" | "idle";
  link?: { href: string; label: string };
}

const queue = new ToastQueue<ToastText>({ maxVisibleToasts: 3 });
const icons = { ok: CircleCheck, bad: CircleAlert, idle: Info };
const tones = { ok: "text-ok", bad: "text-bad", idle: "text-text-2" };

/**
 * Confirms what one did, or reports what happened elsewhere; never an error of a form or a page. Failures stay until they
 * are closed, the others for 6 s. Returns a function that closes it.
 */
export function showToast(toast: ToastText): () => void {
  const key = queue.add(toast, toast.tone === "bad" ? {} : { timeout: 6_000 });
  return () => queue.close(key);
}

/**
 * Where toasts appear; once, in the root route. F6 moves to it and back.
 */
export function Toasts() {
  return (
    <ToastRegion
      queue={queue}
      aria-label="Notifications"
      className="fixed inset-x-4 bottom-[calc(var(--below,0px)+1rem)] z-50 flex flex-col gap-2 outline-none sm:left-auto sm:w-88"
    >
      {({ toast }) => <ToastCard toast={toast} />}
    </ToastRegion>
  );
}

function ToastCard({ toast }: { toast: Parameters<typeof AriaToast<ToastText>>[0]["toast"] }) {
  const { text, tone = "idle", link } = toast.content;
  const Icon = icons[tone];
  return (
    <AriaToast toast={toast} className="flex gap-2.5 rounded-panel border bg-surface py-2 pr-2 pl-3 shadow-float">
      <Icon aria-hidden size={16} strokeWidth={1.75} className={classNames("mt-1.5 shrink-0", tones[tone])} />
      <ToastContent className="flex min-w-0 grow flex-wrap items-center gap-x-3 py-1">
        <Text slot="title" className="[overflow-wrap:anywhere]">
          {text}
        </Text>
        {link && <Link href={link.href}>{link.label}</Link>}
      </ToastContent>
      <IconButton slot="close" label="Close" icon={X} compact />
    </AriaToast>
  );
}
