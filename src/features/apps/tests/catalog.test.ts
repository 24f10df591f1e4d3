import assert from "node:assert/strict";
import { globSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { allPlans } from "../../../../test/plans.ts";
import { scriptsOf, shellcheck } from "../../../../test/shellcheck.ts";
import { catalog } from "../catalog.ts";
import { completeAnswers, inputErrors, secretAnswers } from "../inputs.ts";

// Names of steps that deployments also have.
const ownKeys = new Set(["install", "create-release", "check-disk-space"]);

const folder = join(import.meta.dirname, "../catalog");

describe("the catalog", () => {
  it("lists every folder, and each has the same files", () => {
    assert.deepEqual(readdirSync(folder).sort(), catalog.map(({ slug }) => slug).sort());
    for (const { slug } of catalog) {
      for (const file of ["app.ts", "install.ts", "update.ts", "details.ts"]) {
        assert.equal(globSync(file, { cwd: join(folder, slug) }).length, 1, `${slug}/${file}`);
      }
    }
  });

  for (const app of catalog) {
    describe(app.slug, () => {
      it("pins every archive and tool by a checksum of the right length", () => {
        for (const { url, checksum } of [...app.versions.map(({ archive }) => archive), ...app.tools]) {
          assert.match(url, /^https:\/\//);
          const digits = checksum?.algorithm === "sha512" ? 128 : 64;
          assert.match(checksum?.value ?? "", new RegExp(`^[0-9a-f]{${digits}}$`), url);
        }
      });

      it("asks for nothing that has no default, and shows what it generates", () => {
        assert.deepEqual(inputErrors(app, {}), {});
        const answers = completeAnswers(app, {}, { name: "Shop", email: "alice@example.com" });
        for (const { key } of app.inputs) assert.notEqual(answers[key], "", key);
        const { credentials } = app.details({ origin: "https://shop.test", answers });
        const passwords = app.inputs.filter(({ type }) => type === "password").map(({ key }) => answers[key]);
        const shown = Object.values(credentials).filter(({ secret }) => secret);
        assert.deepEqual(
          shown.map(({ value }) => value),
          passwords,
        );
      });

      it("generates other secrets for each installation", () => {
        const secrets = () => secretAnswers(app, completeAnswers(app, {}, { name: "Shop", email: "a@b.example" }));
        const [one, other] = [secrets(), secrets()];
        assert.ok(one.every((secret) => secret.length >= 24 && !other.includes(secret)));
      });
    });
  }

  it("has scripts that shellcheck is content with", () => {
    const plans = allPlans.filter(({ kind }) => kind.startsWith("app-"));
    assert.ok(plans.length >= 3 * catalog.length);
    // Other features check their steps themselves.
    const others = new Set(
      allPlans.flatMap(({ kind, steps }) => (kind.startsWith("app-") ? [] : steps.map(({ key }) => key))),
    );
    const scripts = plans.flatMap((plan, at) => {
      const steps = plan.steps.filter(({ key }) => !others.has(key) || ownKeys.has(key));
      return Object.entries(scriptsOf({ ...plan, steps })).map(([name, script]) => [`${at}.${name}`, script] as const);
    });
    assert.equal(shellcheck(Object.fromEntries(scripts), "warning"), "");
  });
});
