import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { allPlans } from "../../../../test/plans.ts";
import { scriptsOf, shellcheck } from "../../../../test/shellcheck.ts";
import { passwordVerifier } from "../../../host/databases/passwords.ts";
import { creationPlan, type DatabaseOnServer, removalPlan } from "../plans.ts";

const database: DatabaseOnServer = {
  id: 12,
  engine: "mariadb",
  name: "shop",
  username: "shop_user",
  exists: false,
  isAdopted: false,
  isEmptying: false,
  remote: false,
  users: [],
};

const keysOf = (plan: { steps: readonly { key: string }[] }): string[] => plan.steps.map(({ key }) => key);

describe("plans of databases", () => {
  it("have scripts that shellcheck accepts", () => {
    const plans = allPlans.filter(({ kind }) => kind === "database");
    assert.equal(plans.length, 12);
    for (const plan of plans) assert.equal(shellcheck(scriptsOf(plan)), "");
  });

  it("remove former users before they create new ones, which keep nothing else back when they fail", () => {
    const users = [
      { id: 1, username: "new", exists: false, isRemoved: false },
      { id: 2, username: "former", exists: true, isRemoved: true },
    ];
    const plan = creationPlan({ ...database, users });
    assert.deepEqual(keysOf(plan), ["create-database", "remove-user-2", "user-1"]);
    assert.deepEqual(
      plan.steps.map(({ onFailure }) => onFailure),
      ["stop", "stop", "continue"],
    );
  });

  it("check names only before the database exists", () => {
    const scriptOf = (exists: boolean) => creationPlan({ ...database, exists }).steps[0]?.script ?? "";
    assert.match(scriptOf(false), /^checks=yes$/m);
    assert.match(scriptOf(true), /^checks=''$/m);
  });

  it("open a database to other servers only where it is remote, beyond private networks with TLS", () => {
    const originsOf = (remote: boolean) =>
      /^origins=.*$/m.exec(creationPlan({ ...database, remote }).steps[0]?.script ?? "")?.[0] ?? "";
    assert.equal(originsOf(false), "origins=('localhost NONE')");
    assert.match(originsOf(true), /'10\.0\.0\.0\/255\.0\.0\.0 NONE'.* '% SSL'\)$/);
  });

  it("drop no database of an adoption that did not succeed", () => {
    const script = removalPlan({ ...database, isAdopted: true }).steps[0]?.script ?? "";
    assert.doesNotMatch(script, /DROP DATABASE/);
  });
});

describe("what a password is checked against", () => {
  it("is the hash that MariaDB keeps", () => {
    // SELECT PASSWORD('correct horse')
    assert.match(passwordVerifier("mariadb", "correct horse"), /^\*[0-9A-F]{40}$/);
    assert.equal(passwordVerifier("mariadb", "password"), "*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19");
  });

  it("is SCRAM for PostgreSQL, with a salt of its own each time", () => {
    const [first, second] = [1, 2].map(() => passwordVerifier("postgresql", "correct horse"));
    assert.match(first ?? "", /^SCRAM-SHA-256\$4096:[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}=:[A-Za-z0-9+/]{43}=$/);
    assert.notEqual(first, second);
  });
});
