import assert from "node:assert/strict";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ensureBase } from "../base.ts";
import { type CommandResult, mustRun, runCommand } from "../command.ts";
import { readJson } from "../records.ts";
import { overSsh, tracesOf } from "./cast.ts";

// A separate state directory, because `down --all` is tested; only the images are shared.
let directory: string;
const main = join(import.meta.dirname, "../main.ts");
const sandbox = (...words: string[]): Promise<CommandResult> =>
  runCommand([process.execPath, main, ...words], { env: { ...process.env, LONGSHORE_SANDBOX_DIR: directory } });
const lastLine = ({ stdout }: CommandResult) => JSON.parse(stdout.trim().split("\n").at(-1) ?? "");

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "sandbox-"));
  const base = await ensureBase();
  await symlink(join(base, ".."), join(directory, "images"));
});
after(async () => {
  await sandbox("down", "--all");
  await rm(directory, { recursive: true });
});

test("up prints how to reach the server, and the key file given may log in", async () => {
  const key = join(directory, "mine");
  await mustRun(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key]);
  const result = await sandbox("up", "web", "--authorized-key", `${key}.pub`, "--json");
  const server = lastLine(result);
  assert.deepEqual(Object.keys(server), ["name", "address", "ssh_port", "private_key_path"]);
  for (const privateKeyPath of [key, server.private_key_path]) {
    const { stdout } = await overSsh({ name: "web", address: server.address, sshPort: 22, privateKeyPath }, "hostname");
    assert.equal(stdout, "web\n");
  }
});

test("exec passes words, input and exit code through", async () => {
  const result = await sandbox("exec", "web", "--", "sh", "-c", "echo $0 $1; exit 3", "a", "--json");
  assert.deepEqual([result.exitCode, result.stdout], [3, "a --json\n"]);
});

test("list, cut, heal and reboot say how the server is", async () => {
  assert.equal(lastLine(await sandbox("list", "--json")).servers[0].status, "running");
  assert.deepEqual(lastLine(await sandbox("cut", "web", "--json")), { name: "web", status: "cut" });
  assert.deepEqual(lastLine(await sandbox("heal", "web", "--json")), { name: "web", status: "running" });
  assert.deepEqual(lastLine(await sandbox("reboot", "web", "--json")), { name: "web", status: "running" });
});

test("mistakes get one sentence and exit code 1", async () => {
  const mistakes: [string[], RegExp][] = [
    [["exec", "missing", "true"], /There is no server missing/],
    [["up", "Bad_Name"], /is no server name/],
    [["up", "x", "--distribution", "nosuch"], /choose one of bookworm, trixie, jammy, noble/],
    [["down"], /which server/],
    [["up", "x", "--authorized-key", join(directory, "mine")], /private key/],
  ];
  for (const [words, sentence] of mistakes) {
    const { exitCode, stderr } = await sandbox(...words);
    assert.equal(exitCode, 1, stderr);
    assert.match(stderr, sentence);
    assert.doesNotMatch(stderr, /\n {4}at /);
  }
});

test("down --all removes the bridge and its rules too", async () => {
  const network = await readJson<{ bridge: string }>(join(directory, "network.json"));
  assert.ok(network);
  const { bridge } = network;
  assert.notDeepEqual(await tracesOf(bridge, `longshore-${bridge}`), []);
  assert.deepEqual(lastLine(await sandbox("down", "--all", "--json")), { removed: ["web"] });
  assert.deepEqual(await tracesOf(bridge, `longshore-${bridge}`, directory), []);
});
