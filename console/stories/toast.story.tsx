import { useEffect } from "react";
import { showToast, Toasts } from "../src/ui/toast.tsx";

function Shown() {
  useEffect(() => {
    const closers = [
      showToast({ text: "Deployed Shop in 8 s", tone: "ok", link: { href: "#", label: "View" } }),
      showToast({ text: "The deployment of Blog failed: the health check got 500 from /up for 30 s.", tone: "bad" }),
      showToast({ text: "Alice invited you to Harbour" }),
    ];
    return () => {
      for (const close of closers) close();
    };
  }, []);
  return <Toasts />;
}

export const alone = true;
export const states = { three: Shown };
