# shellcheck shell=bash disable=SC2016
# given: directory shared username
# The password is stored in the form that Node-RED compares: hashed by its own bcrypt.
umask 077
mkdir -p -- "$shared"
cd -- "$directory"
node -e '
  const { readFileSync, writeFileSync, renameSync } = require("node:fs");
  const bcrypt = require("bcryptjs");
  const [shared, username] = process.argv.slice(1);
  const secret = (name) => readFileSync(`${process.env.LONGSHORE_SECRETS}/${name}`, "utf8");
  const settings = {
    uiHost: "127.0.0.1",
    flowFile: "flows.json",
    credentialSecret: secret("credential-secret"),
    adminAuth: {
      type: "credentials",
      users: [{ username, password: bcrypt.hashSync(secret("admin-password"), 10), permissions: "*" }],
    },
  };
  writeFileSync(`${shared}/settings.js.new`, `module.exports = ${JSON.stringify(settings, null, 2)};\n`, { mode: 0o600 });
  renameSync(`${shared}/settings.js.new`, `${shared}/settings.js`);' "$shared" "$username"
echo "Wrote settings.js."
