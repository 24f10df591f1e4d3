import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { after, before, beforeEach, describe, it } from "node:test";
import { rows, sql } from "../../src/db/sql.ts";
import { browserOf } from "../../src/features/accounts/tests/support.ts";
import { addProject } from "../../src/features/deployments/tests/support.ts";
import { call, restrict, tokenOf } from "../../src/http/tests/support.ts";
import { type ClientStage, openClientStage, startProgram } from "./support.ts";

let stage: ClientStage;
/** The same installation under another name. */
let other: string;
/** Signed in by the configuration only. */
const signedIn = { LONGSHORE_URL: "", LONGSHORE_TOKEN: "" };

before(async () => {
  stage = await openClientStage();
  other = stage.origin.replace("127.0.0.1", "localhost");
  await stage.pool.query("update projects set name = 'shop' where id = $1", [stage.project]);
});
after(() => stage?.close());
beforeEach(async () => {
  await rm(join(stage.folder, "config"), { recursive: true, force: true });
  await rm(join(stage.folder, ".longshore.json"), { force: true });
});

const configuration = async () =>
  JSON.parse(await readFile(join(stage.folder, "config/longshore/config.json"), "utf8"));

const login = (url: string, token: string) =>
  stage.longshore(["login", url, "--token-stdin"], { env: signedIn, input: `${token}\n` });

/** What a person in the console does with the code that the program shows. */
async function answer(code: string, verb: "approve" | "deny", body?: object): Promise<void> {
  const headers = await browserOf(stage.ctx, stage.cast.userIds.alice);
  const reply = await call(stage.app, `POST /api/v1/device-authorizations/${code}/${verb}`, {
    headers,
    ...(body && { body }),
  });
  assert.equal(reply.status, 200, reply.text);
}

const codeIn = (text: string): string => /^ {2}([A-Z]{4}-[A-Z]{4})$/m.exec(text)?.[1] ?? "";

describe("longshore login", () => {
  it("gets the token that a person approves in the console, for that organization", async () => {
    const running = stage.start(["login", stage.origin], { env: signedIn });
    await running.until(({ stderr }) => codeIn(stderr) !== "");
    const permissions = ["project:read", "deployment:create"];
    const organization_id = stage.cast.organizationId;
    await answer(codeIn(running.output().stderr), "approve", { name: "laptop", permissions, organization_id });
    const { status, stderr } = await running.ended;
    assert.equal(status, 0, stderr);
    assert.match(stderr, /Signed in to .* as alice@example\.com, in Acme\.\n$/);
    const who = await stage.longshore(["whoami", "--json"], { env: signedIn });
    assert.deepEqual(JSON.parse(who.stdout).permissions.toSorted(), permissions.toSorted());
    assert.equal(stderr.includes("lsh_"), false);
  });

  it("ends with 4 when the person denies it", async () => {
    const running = stage.start(["login", stage.origin], { env: signedIn });
    await running.until(({ stderr }) => codeIn(stderr) !== "");
    await answer(codeIn(running.output().stderr), "deny");
    assert.equal((await running.ended).status, 4);
  });

  it("takes a token from standard input, and keeps none that is wrong", async () => {
    assert.equal((await login(stage.origin, "lsh_wrong")).status, 4);
    assert.equal((await login(stage.origin, "")).status, 4);
    await assert.rejects(configuration());
    assert.equal((await login(stage.origin, stage.cast.bob)).status, 0);
    assert.equal((await stage.longshore(["projects"], { env: signedIn })).status, 0);
  });

  it("keeps several installations and organizations apart", async () => {
    await login(stage.origin, stage.cast.alice);
    await login(other, stage.cast.charlie);
    const listed = await stage.longshore(["use", "--json"], { env: signedIn });
    const { data } = JSON.parse(listed.stdout);
    assert.deepEqual(data.map((each: { organization: { name: string } }) => each.organization.name).toSorted(), [
      "Acme",
      "Charlie's",
    ]);
    assert.equal((await stage.longshore(["projects", "show", "shop"], { env: signedIn })).status, 5);
    const name = new URL(stage.origin).host;
    assert.equal((await stage.longshore(["use", name, "Acme"], { env: signedIn })).status, 0);
    assert.equal((await stage.longshore(["projects", "show", "shop"], { env: signedIn })).status, 0);
    const there = await stage.longshore(["projects", "show", "shop", "--url", new URL(other).host], { env: signedIn });
    assert.equal(there.status, 5);
    assert.equal((await stage.longshore(["use", "Nowhere"], { env: signedIn })).status, 1);
  });
});

describe("longshore logout", () => {
  it("revokes the token, and forgets it", async () => {
    const token = await tokenOf(stage.pool, "Adam");
    await login(stage.origin, token);
    const { status, stderr } = await stage.longshore(["logout"], { env: signedIn });
    assert.equal(status, 0, stderr);
    assert.deepEqual((await configuration()).installations, {});
    const { status: answered } = await call(stage.app, "GET /api/v1/me", { token });
    assert.equal(answered, 401);
  });
});

describe("access", () => {
  it("that is missing, wrong, expired, narrow or out of reach has its exit status", async () => {
    const expired = await tokenOf(stage.pool, "Adam");
    await stage.pool.query(
      "update tokens set expires_at = now() - interval '1 day' where id = (select max(id) from tokens)",
    );
    const narrow = await tokenOf(stage.pool, "Alice", "project:read");
    for (const [token, args, status] of [
      ["lsh_wrong", ["projects"], 4],
      [expired, ["projects"], 4],
      [narrow, ["projects"], 0],
      [narrow, ["deploy", "shop"], 3],
      [stage.cast.victor, ["deploy", "shop"], 3],
      [stage.cast.charlie, ["deploy", "shop"], 5],
      [stage.cast.charlie, ["projects", "show", String(stage.project)], 5],
    ] as const) {
      const ended = await stage.longshore(args, { env: { LONGSHORE_TOKEN: token } });
      assert.equal(ended.status, status, `${args.join(" ")}: ${ended.stderr}`);
    }
  });

  it("of a restricted member is theirs", async () => {
    const mine = await addProject(stage.pool, stage.server);
    await stage.pool.query("update projects set name = 'mine' where id = $1", [mine]);
    await restrict(stage.pool, "Bob", stage.cast.organizationId, { projects: [mine] });
    const env = { LONGSHORE_TOKEN: await tokenOf(stage.pool, "Bob") };
    const listed = await stage.longshore(["projects", "--json=name"], { env });
    assert.deepEqual(JSON.parse(listed.stdout).data, [{ name: "mine" }]);
  });

  it("is named in the audit log as the client's", async () => {
    await stage.longshore(["api", "PUT", `projects/${stage.project}`, "-f", "notes=by the client"]);
    const [entry] = await rows<{ client: { kind: string; name: string } }>(
      stage.pool,
      sql`select client from audit_log order by id desc limit 1`,
    );
    assert.equal(entry?.client.kind, "cli");
    assert.equal(entry?.client.name, "longshore");
  });
});

describe("a link", () => {
  it("chooses project, organization and installation, and directs no token elsewhere", async () => {
    await login(stage.origin, stage.cast.alice);
    assert.equal((await stage.longshore(["link", "shop"], { env: signedIn })).status, 0);
    const shown = await stage.longshore(["projects", "show", "--json=id"], { env: signedIn });
    assert.deepEqual(JSON.parse(shown.stdout), { id: stage.project });
    const env = {
      LONGSHORE_URL: "",
      LONGSHORE_TOKEN: stage.cast.alice,
      XDG_CONFIG_HOME: join(stage.folder, "nowhere"),
    };
    const ended = await stage.longshore(["projects"], { env });
    assert.equal(ended.status, 1);
    assert.match(ended.stderr, /Set LONGSHORE_URL=/);
  });
});

describe("output", () => {
  it("of a list is lines with tabs for other programs, without a header", async () => {
    const { stdout } = await stage.longshore(["projects", "--search", "shop"]);
    const lines = stdout.split("\n").map((line) => line.split("\t"));
    const [id, , , address] = lines.find(([, name]) => name === "shop") ?? [];
    assert.deepEqual([id, address], [String(stage.project), `http://shop-${stage.project}.example.com`]);
    assert.ok(!stdout.includes("NAME"));
  });

  it("names what is ambiguous, and what is similar", async () => {
    const twin = await addProject(stage.pool, stage.server);
    const ambiguous = await stage.longshore(["projects", "show", "shop"]);
    assert.equal(ambiguous.status, 1);
    assert.ok(ambiguous.stderr.includes(`${stage.project}, ${twin}`));
    await stage.pool.query("update projects set name = 'other' where id = $1", [twin]);
    const missing = await stage.longshore(["projects", "show", "shopp"]);
    assert.equal(missing.status, 5);
    assert.match(missing.stderr, /Similar: shop/);
  });

  it("ends quietly when its reader is gone", async () => {
    const line = `"${process.execPath}" "$PROGRAM" api GET projects --paginate | head -c 1; echo "\${PIPESTATUS[0]}"`;
    const running = startProgram(["bash", "-c", line], {
      env: {
        ...{
          PATH: process.env.PATH ?? "",
          HOME: stage.folder,
          PROGRAM: join(import.meta.dirname, "../../cli/src/main.ts"),
        },
        ...{
          LONGSHORE_URL: stage.origin,
          LONGSHORE_TOKEN: stage.cast.alice,
          XDG_CACHE_HOME: join(stage.folder, "cache"),
        },
      },
      cwd: stage.folder,
      input: "",
    });
    const { stdout, stderr } = await running.ended;
    assert.equal(stdout, "{0\n");
    assert.equal(stderr, "");
  });

  it("fits into 40 columns, with names from right to left, and hostile ones as pictures", async () => {
    const names = [
      "متجر الكتب",
      "\u001b[2Jevil\u202eexe",
      "a very long name that does not fit into any narrow terminal",
    ];
    for (const name of names) {
      const id = await addProject(stage.pool, stage.server);
      await stage.pool.query("update projects set name = $2 where id = $1", [id, name]);
    }
    const line = `stty cols 40; '${process.execPath}' '${join(import.meta.dirname, "../../cli/src/main.ts")}' projects`;
    const running = startProgram(["script", "-qefc", line, "/dev/null"], {
      env: {
        ...{ PATH: process.env.PATH ?? "", HOME: stage.folder, NO_COLOR: "1", TERM: "xterm" },
        ...{
          LONGSHORE_URL: stage.origin,
          LONGSHORE_TOKEN: stage.cast.alice,
          XDG_CACHE_HOME: join(stage.folder, "cache"),
        },
      },
      cwd: stage.folder,
      input: "",
    });
    const { status, stdout } = await running.ended;
    assert.equal(status, 0, stdout);
    assert.ok(stdout.includes("␛[2Jevil�exe"), stdout);
    assert.ok(stdout.includes("\u2068متجر الكتب\u2069"));
    assert.ok(!stdout.includes("\u001b") && !stdout.includes("\u202e"), JSON.stringify(stdout));
  });
});

describe("longshore env", () => {
  const variable = (...args: string[]) => stage.longshore(["env", ...args, "--project", String(stage.project)]);

  it("sets, compares, replaces and removes, and never shows a value", async () => {
    const file = join(stage.folder, "values.env");
    const { writeFile } = await import("node:fs/promises");
    await writeFile(file, "MODE=production\nTOKEN=s3cret\n");
    assert.equal((await variable("push", file)).status, 0);
    const set = await stage.longshore(["env", "set", "TOKEN", "--project", String(stage.project)], {
      input: "an0ther\n",
    });
    assert.equal(set.status, 0, set.stderr);
    assert.deepEqual((await variable("diff", file)).stdout, "~ TOKEN\n");
    assert.equal((await variable("pull")).stdout, "MODE=\nTOKEN=\n");
    await writeFile(file, "MODE=test\n");
    const asked = await variable("push", file);
    assert.equal(asked.status, 1);
    assert.match(asked.stderr, /deleted: TOKEN\. Add --yes/);
    assert.equal((await variable("push", file, "--yes")).status, 0);
    assert.equal((await variable("unset", "MODE")).status, 0);
    const listed = await variable();
    assert.equal(listed.stdout, "");
    for (const { stdout, stderr } of [set, asked]) assert.ok(!`${stdout}${stderr}`.includes("an0ther"));
  });
});

describe("longshore api", () => {
  it("sends fields, reads all pages, and has the exit status of the answer", async () => {
    const all = await stage.longshore(["api", "GET", "/api/v1/projects", "-f", "per_page=1", "--paginate"]);
    const { data } = JSON.parse(all.stdout);
    assert.ok(data.length > 2);
    const refused = await stage.longshore(["api", "POST", "deployments", "-f", "project_ids[]=0"]);
    assert.equal(refused.status, 3, refused.stderr);
    assert.equal((await stage.longshore(["api", "GET", "projects/987654"])).status, 5);
    assert.equal((await stage.longshore(["api", "GET", "projects", "--url", "http://127.0.0.1:9"])).status, 1);
  });
});
