import { X } from "lucide-react";
import type { ReactNode } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { classNames } from "./class-names.ts";
import { useFocusAfterwards } from "./focus-heading.ts";
import { IconButton } from "./icon-button.tsx";

export interface OverlayProps {
  isOpen: boolean;
  /** Escape, a press outside, or the close button. */
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** Buttons at the end; stay visible while the content scrolls. */
  footer?: ReactNode;
  role?: "dialog" | "alertdialog";
}

/** What Dialog and Drawer share: a modal with title, content that scrolls, and footer. */
export function Overlay(props: OverlayProps & { overlayClassName: string; modalClassName: string }) {
  const { isOpen, onClose, title, children, footer, role = "dialog" } = props;
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable={role === "dialog"}
      className={classNames("float-motion fixed inset-0 z-40 flex bg-scrim", props.overlayClassName)}
    >
      <Modal className={classNames("flex flex-col bg-surface shadow-float", props.modalClassName)}>
        <AriaDialog role={role} className="flex min-h-0 grow flex-col outline-none">
          <header className="flex items-start justify-between gap-4 px-4 pt-3 sm:px-6 sm:pt-5">
            <Heading slot="title" dir="auto" className="font-semibold text-section [overflow-wrap:anywhere]">
              {title}
            </Heading>
            <IconButton label="Close" icon={X} compact onPress={onClose} className="-mr-1.5" />
          </header>
          <FocusAfterwards />
          <div ref={reachByKeyboard} className="min-h-0 grow overflow-y-auto px-4 py-3 sm:px-6 sm:py-4">
            {children}
          </div>
          {footer && (
            <footer className="flex flex-wrap items-center justify-end gap-2 border-line border-t px-4 py-3 sm:px-6">
              {footer}
            </footer>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** Lives as long as the dialog is open. */
function FocusAfterwards(): null {
  useFocusAfterwards();
  return null;
}

/** What scrolls and has nothing to focus is a tab stop, so that the arrows scroll it. */
function reachByKeyboard(element: HTMLElement | null): void {
  if (!element || element.scrollHeight <= element.clientHeight) return;
  if (element.querySelector("a, button, input, select, textarea, [tabindex]") === null) element.tabIndex = 0;
}
