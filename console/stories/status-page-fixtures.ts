import type { Incident, StatusPage } from "../../contract/types.ts";

// Status pages and incidents with names of all lengths and directions.

const at = "2026-09-20T10:42:05.000000Z";
const later = "2026-09-20T11:20:00.000000Z";

export const statusPage: StatusPage = {
  id: 1,
  name: "Shop",
  description: "",
  slug: "shop",
  domain: null,
  is_public: true,
  url: "https://panel.example.com/status/shop",
  monitors: [
    { id: 1, label: "Web shop" },
    { id: 2, label: null },
    { id: 3, label: "البريد الإلكتروني" },
  ],
  open_incidents: 0,
  created_at: at,
  updated_at: at,
};

const long = "The systems of the marketing department, of its partners in all countries and of their own customers";

export const statusPages: StatusPage[] = [
  { ...statusPage, open_incidents: 2 },
  {
    ...statusPage,
    id: 2,
    name: "حالة الخدمة",
    domain: "status.example.com",
    url: "https://status.example.com/",
    monitors: [],
  },
  { ...statusPage, id: 3, name: long, url: `https://panel.example.com/status/${"the-systems-of-".repeat(3)}marketing` },
  { ...statusPage, id: 4, name: "Before the launch", is_public: false, url: "https://panel.example.com/status/launch" },
];

export const incidents: Incident[] = [
  {
    id: 3,
    title: "Orders are delayed",
    state: "identified",
    created_at: at,
    updated_at: later,
    resolved_at: null,
    updates: [
      {
        id: 12,
        state: "identified",
        text: "The queue of the payment provider is full.\nWe send orders by another one now.",
        created_at: later,
      },
      { id: 11, state: "investigating", text: "We are looking into it.", created_at: at },
    ],
  },
  {
    id: 2,
    title: "الطلبات متأخرة",
    state: "monitoring",
    created_at: at,
    updated_at: at,
    resolved_at: null,
    updates: [{ id: 10, state: "monitoring", text: "نراقب الوضع الآن، وتصل الطلبات مرة أخرى.", created_at: at }],
  },
  { id: 4, title: long, state: "investigating", created_at: at, updated_at: at, resolved_at: null, updates: [] },
  {
    id: 1,
    title: "The shop was down",
    state: "resolved",
    created_at: at,
    updated_at: later,
    resolved_at: later,
    updates: [{ id: 9, state: "resolved", text: `It works again. ${"veryLongWord".repeat(20)}`, created_at: later }],
  },
];

export const monitorNames = new Map([
  [1, "shop.example.com"],
  [2, "API"],
  [3, long],
]);
