export const redirectExample = {
  match: "pattern" as const,
  from: "/blog/:slug",
  to: "/news/:slug",
  status: 301 as const,
  keeps_query: true,
};

export const ignoredExample = {
  line: 7,
  text: "/api/* https://api.example.com/:splat 200",
  reason: "Only redirects are imported: 301, 302, 307, 308 and 410.",
};
