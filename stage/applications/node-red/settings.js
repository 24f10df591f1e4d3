module.exports = {
  uiPort: process.env.PORT,
  uiHost: process.env.HOST,
  httpAdminRoot: "/editor",
  httpStatic: `${__dirname}/public`,
  flowFile: "flows.json",
  credentialSecret: false,
  telemetry: { enabled: false },
};
