import { useEffect, useRef } from "react";
import { readStored, store } from "../data/stored.ts";
import { announce } from "./announce.tsx";

// A finished deployment in a tab that is not seen may notify. Browsers allow it over TLS only.

const asked = "asked-for-notifications";

/** Asks once in the life of this browser: when one deploys for the first time, soon after the press. */
export function askForNotices(): void {
  if (!("Notification" in globalThis) || Notification.permission !== "default") return;
  if (readStored(asked) !== null) return;
  store(asked, "true");
  void Notification.requestPermission();
}

export interface EndedNotice {
  hasEnded: boolean;
  hasFailed: boolean;
  title: string;
  body: string;
}

/** Has screen readers read it, and notifies, once something has ended that was under way while the page showed it. */
export function useEndedNotice({ hasEnded, hasFailed, title, body }: EndedNotice): void {
  const wasRunning = useRef(false);
  useEffect(() => {
    if (!hasEnded) wasRunning.current = true;
    else if (wasRunning.current) {
      wasRunning.current = false;
      announce(body === "" ? title : `${title}. ${body}`, hasFailed ? "assertive" : "polite");
      notify(title, body);
    }
  }, [hasEnded, hasFailed, title, body]);
}

function notify(title: string, body: string): void {
  if (!document.hidden || !("Notification" in globalThis) || Notification.permission !== "granted") return;
  const notice = new Notification(title, { body, icon: "/assets/icon.svg", tag: location.pathname });
  notice.onclick = () => {
    focus();
    notice.close();
  };
}
