import { type LucideIcon, ExternalLink as OutIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Link as AriaLink, type LinkProps as AriaLinkProps } from "react-aria-components";
import { type ButtonKind, buttonClasses } from "./button.tsx";
import { classNames } from "./class-names.ts";

export interface LinkProps extends Omit<AriaLinkProps, "className" | "style" | "children"> {
  href: string;
  children: ReactNode;
  /** `text`: blue. `quiet`: the colour of the text around it, underlined on hover. Default: `text`. */
  kind?: "text" | "quiet";
  className?: string;
}

/** A link within the console, without loading the page (by the RouterProvider of the root route). Ctrl-click and the middle button open a tab. */
export function Link({ kind = "text", className, ...props }: LinkProps) {
  return (
    <AriaLink
      {...props}
      className={classNames(
        "cursor-pointer data-hovered:underline underline-offset-2",
        kind === "text" ? "text-link" : "text-inherit",
        className,
      )}
    />
  );
}

/** A link to another site, in a tab of its own. Addresses that are not http or https stay text. */
export function ExternalLink({ href, children, className }: { href: string; children: ReactNode; className?: string }) {
  if (!/^https?:\/\//i.test(href)) return <span className={className}>{children}</span>;
  return (
    <Link href={href} target="_blank" rel="noopener noreferrer nofollow" className={className}>
      {children}
      <OutIcon aria-label="(new tab)" size={12} strokeWidth={1.75} className="ml-1 inline align-baseline" />
    </Link>
  );
}

interface ButtonLinkProps {
  href: string;
  children: ReactNode;
  kind?: ButtonKind;
  compact?: boolean;
  icon?: LucideIcon;
  className?: string;
  /** The name of one of several with the same words. */
  "aria-label"?: string;
}

/** A link that looks like a button: it leads to a page where something is done. */
export function ButtonLink({
  kind = "secondary",
  compact,
  icon: Icon,
  className,
  children,
  ...props
}: ButtonLinkProps) {
  return (
    <AriaLink {...props} className={classNames(buttonClasses(kind, compact), className)}>
      {Icon && <Icon aria-hidden size={16} strokeWidth={1.75} className="-ml-0.5 shrink-0" />}
      {children}
    </AriaLink>
  );
}
