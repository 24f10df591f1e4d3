import { useEffect, useRef } from "react";

// A finished deployment in a tab that is not seen may notify. Browsers allow it over TLS only.

const asked = "asked-for-notifications";

/** Asks once in the life of this browser: when one deploys for the first time, in the handler of the press. */
export function askForNotices(): void {
  if (!("Notification" in globalThis) || Notification.permission !== "default") return;
  if (localStorage.getItem(asked) !== null) return;
  localStorage.setItem(asked, "true");
  void Notification.requestPermission();
}

/** Notifies once something has ended that was under way while the page showed it. */
export function useEndedNotice(hasEnded: boolean, title: string, body: string): void {
  const wasRunning = useRef(false);
  useEffect(() => {
    if (!hasEnded) wasRunning.current = true;
    else if (wasRunning.current) {
      wasRunning.current = false;
      notify(title, body);
    }
  }, [hasEnded, title, body]);
}

function notify(title: string, body: string): void {
  if (!document.hidden || !("Notification" in globalThis) || Notification.permission !== "granted") return;
  const notice = new Notification(title, { body, icon: "/assets/icon.svg", tag: location.pathname });
  notice.onclick = () => {
    focus();
    notice.close();
  };
}
