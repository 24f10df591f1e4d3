import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { type Tone, tintTones } from "./tones.ts";

const icons: Record<Tone, LucideIcon> = {
  ok: CircleCheck,
  bad: CircleAlert,
  run: Info,
  warn: TriangleAlert,
  idle: Info,
};

export interface NoticeProps {
  /** Default: `idle`. */
  tone?: Tone;
  title?: ReactNode;
  children?: ReactNode;
  /** One button or link. */
  action?: ReactNode;
  /** Read out when it appears: only for what just happened to what one did. */
  alert?: boolean;
  className?: string;
}

/** Something that one should know about the page or section it stands in. */
export function Notice({ tone = "idle", title, children, action, alert, className }: NoticeProps) {
  const Icon = icons[tone];
  return (
    <div
      {...(alert && { role: "alert" })}
      className={classNames("flex flex-wrap gap-x-3 gap-y-2 rounded-panel px-3 py-2.5", tintTones[tone], className)}
    >
      <Icon aria-hidden size={16} strokeWidth={1.75} className="mt-0.5 shrink-0" />
      <div className="min-w-40 flex-1 [overflow-wrap:anywhere]">
        {title && <p className="font-medium">{title}</p>}
        {children && <div className="text-text">{children}</div>}
      </div>
      {action && <div className="shrink-0 self-center">{action}</div>}
    </div>
  );
}
