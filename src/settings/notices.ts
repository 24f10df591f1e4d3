import { isNetwork } from "../lib/addresses.ts";
import type { Settings } from "./setting.ts";
import { integer, list, oneOf, url } from "./values.ts";

/** What it sends to people, and what it watches. */
export const noticeSettings = {
  smtpUrl: {
    env: "LONGSHORE_SMTP_URL",
    ...url("smtp:", "smtps:"),
    about:
      "The mail server for notifications, invitations and links to a new password, such as `smtp://user:password@mail.example.com:587`; `smtps:` is TLS from the first byte. Without it no mail is sent. A password is sent over TLS only, unless the server is this machine.",
    secret: true,
  },
  mailFrom: {
    env: "LONGSHORE_MAIL_FROM",
    type: "an address such as `deploy@example.com`, or a name with one: `Longshore <deploy@example.com>`",
    about:
      "The sender of mails. Without it `longshore` at the host name of `LONGSHORE_PUBLIC_URL`, which many mail servers will not take.",
    parse: (text): string | undefined =>
      /^(?:[^\p{Cc}<>"@,;]{0,100}<[^\s<>"@,;]+@[^\s<>"@,;]+>|[^\s<>"@,;]+@[^\s<>"@,;]+)$/u.test(text)
        ? text
        : undefined,
  },
  telegramUrl: {
    env: "LONGSHORE_TELEGRAM_URL",
    ...url("http:", "https:"),
    default: "https://api.telegram.org",
    about: "The root of Telegram's bot API, or of a server that speaks it.",
  },
  notifyAllow: {
    env: "LONGSHORE_NOTIFY_ALLOW",
    ...list("addresses or networks such as 10.0.0.0/8", isNetwork),
    default: "",
    about:
      "Private networks that notifications may be sent to, such as that of your own chat server. All others are refused: a person who manages an organization could otherwise reach this machine's neighbours.",
  },
  monitorAllow: {
    env: "LONGSHORE_MONITOR_ALLOW",
    ...list("addresses or networks such as 10.0.0.0/8", isNetwork),
    default: "",
    about:
      "Private networks that HTTP monitors may check besides the addresses of managed servers. All others are refused: every account could otherwise find out what listens next to this machine.",
  },
  secondOpinion: {
    env: "LONGSHORE_SECOND_OPINION",
    ...oneOf(["on", "off"]),
    default: "on",
    about:
      "Whether another managed server of the organization checks an address too before its monitor is reported as down.",
  },
  monitorRetentionDays: {
    env: "LONGSHORE_MONITOR_RETENTION_DAYS",
    ...integer(8, 36_500),
    default: "400",
    about: "Results, states and events of monitors are deleted after this many days; results in whole months.",
  },
} as const satisfies Settings;
