import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { startPlatform } from "../stage/fixture.ts";
import { type Benchmark, type Measurement, median, secondsOf } from "./benchmark.ts";
import { memoryOf } from "./start.ts";

const launcher = join(import.meta.dirname, "../longshore");
const limits = { helpMs: 150, projectsMs: 300, callMs: 20, memoryMb: 30 };

export const clientsBenchmark: Benchmark = {
  name: "clients",
  what: "the command line: how long a command takes; MCP: what a call takes beside the request of the API in it, and its memory",
  comparedTo: "the limit of each",
  async run(session) {
    const rounds = session.quick ? 3 : 21;
    const platform = await startPlatform({
      dataDirectory: join(session.directory, "data"),
      env: { LONGSHORE_MCP_RATE_LIMIT: "1000000" },
    });
    session.cleanUp(platform.stop);
    const { url, token, pid } = platform;
    const env = {
      PATH: process.env.PATH ?? "",
      HOME: session.directory,
      LONGSHORE_URL: url,
      LONGSHORE_TOKEN: token,
    };
    const commandMs = async (...args: string[]) => {
      // The first time compiles it, and looks for the version of the installation.
      const times: number[] = [];
      for (let round = 0; round <= rounds; round++) times.push(1_000 * (await secondsOf(() => execute(args, env))));
      return median(times.slice(1));
    };
    session.update("the command line");
    const help = await commandMs("deploy", "--help");
    const projects = await commandMs("projects");
    session.update("MCP");
    const before = (await memoryOf(pid)).megabytes;
    const requestMs = async (send: () => Promise<unknown>) => {
      const times: number[] = [];
      for (let round = 0; round < rounds * 10; round++) times.push(1_000 * (await secondsOf(send)));
      return median(times.slice(rounds));
    };
    const api = await requestMs(() => read(`${url}/api/v1/projects`, token));
    const withoutMcp = (await memoryOf(pid)).megabytes;
    const call = await requestMs(() => callOperation(url, token));
    const withMcp = (await memoryOf(pid)).megabytes;
    const measured: [what: string, unit: Measurement["unit"], value: number, limit: number][] = [
      ["a command's help", "ms", help, limits.helpMs],
      ["`longshore projects`", "ms", projects, limits.projectsMs],
      ["a call over MCP, beside the API's own time", "ms", call - api, limits.callMs],
      ["memory (PSS) of a process after calls over MCP, beside before", "MB", withMcp - withoutMcp, limits.memoryMb],
    ];
    return {
      measurements: measured.map(([what, unit, value, limit]) => ({
        what,
        unit,
        value,
        compared: [{ to: "limit", value: limit }],
      })),
      notes: [`The API's own time: ${api.toFixed(1)} ms. Requests to it took ${(withoutMcp - before).toFixed(1)} MB.`],
      failures: measured
        .filter(([, , value, limit]) => value > limit)
        .map(([what, unit, value]) => `${what}: ${value.toFixed(1)} ${unit}`),
    };
  },
};

async function execute(args: readonly string[], env: Record<string, string>): Promise<void> {
  const child = spawn(launcher, args, { env, stdio: ["ignore", "ignore", "inherit"] });
  const [status] = (await once(child, "exit")) as [number | null];
  if (status !== 0) throw new Error(`longshore ${args.join(" ")} ended with ${status}`);
}

async function read(url: string, token: string): Promise<void> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  await answer.text();
}

async function callOperation(url: string, token: string): Promise<void> {
  const protocol = "2026-07-28";
  const answer = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": protocol,
      "mcp-method": "tools/call",
      "mcp-name": "call_operation",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        name: "call_operation",
        arguments: { operation: "getProjects" },
        _meta: {
          "io.modelcontextprotocol/protocolVersion": protocol,
          "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    }),
  });
  const text = await answer.text();
  if (!answer.ok || text.includes('"isError":true')) throw new Error(`/mcp answered ${answer.status}: ${text}`);
}
