export default defineEventHandler((event) => ({
  release: "release-1",
  ip: getRequestIP(event, { xForwardedFor: true }),
}));
