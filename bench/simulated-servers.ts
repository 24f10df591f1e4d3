import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import ssh2, { type Connection, type ServerChannel, type SFTPWrapper } from "ssh2";

// Simulated SSH servers: they accept every key and speak the runner's protocol (src/host/runner/runner.sh), but execute nothing: each
// step takes a moment and prints something. A separate process, so that its cost is not counted as the platform's. Its argument
// is the number of servers; it reports their addresses, and their journals on request.

const port = 2222;
const longestStepMs = 500;
const linesOfBuild = 20;

/** One run as the server's journal has it. Times in milliseconds since 1970. */
export interface JournalOfRun {
  isDeployment: boolean;
  began: number;
  ended: number | undefined;
}

interface Run extends JournalOfRun {
  journal: Buffer;
}

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp;

class SimulatedServer {
  readonly runs = new Map<number, Run>();
  private readonly bells = new Set<ServerChannel>();

  listen(host: string, hostKey: string): Promise<void> {
    const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => this.serve(client));
    return new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, host, resolve);
    });
  }

  private serve(client: Connection): void {
    client.on("error", () => undefined);
    client.on("authentication", (context) => context.accept());
    // As sshd does; the typings lack it.
    client.on("ready", () => (client as unknown as Pick<ssh2.Client, "setNoDelay">).setNoDelay(true));
    client.on("session", (accept) => {
      const session = accept();
      session.on("exec", (acceptExec, _reject, { command }) => void this.execute(command, acceptExec()));
      session.on("sftp", (acceptSftp) => this.serveFiles(acceptSftp()));
    });
  }

  private async execute(command: string, channel: ServerChannel): Promise<void> {
    channel.on("error", () => undefined);
    const call = /\/runner-\w+ (start|cancel) (\d+)/.exec(command);
    if (command.includes("/run/longshore/bell")) return this.ringFor(channel);
    if (call?.[1] === "start") return answer(channel, this.start(Number(call[2]), await inputOf(channel)));
    if (call) return answer(channel, "passed\n");
    if (command.includes("os-release")) return answer(channel, probe);
    // The same work as a run, for callers that only need it done.
    if (command === "work")
      await this.carryOut({ isDeployment: false, began: 0, ended: undefined, journal: Buffer.alloc(0) }, 0, plainPlan);
    answer(channel, "");
  }

  private ringFor(channel: ServerChannel): void {
    this.bells.add(channel);
    channel.on("close", () => this.bells.delete(channel));
  }

  private start(id: number, bundle: Buffer): string {
    const known = this.runs.get(id);
    if (known) return known.ended === undefined ? "running\n" : "ended\n";
    const text = bundle.toString("latin1");
    const isDeployment = text.includes("/srv/longshore/projects/");
    const run: Run = { isDeployment, began: Date.now(), ended: undefined, journal: Buffer.alloc(0) };
    this.runs.set(id, run);
    void this.carryOut(run, id, planOf(text));
    return "started\n";
  }

  private async carryOut(run: Run, id: number, { nonce, client }: SimulatedPlan): Promise<void> {
    const write = (text: string) => {
      run.journal = Buffer.concat([run.journal, Buffer.from(text)]);
    };
    const record = (text: string) => {
      write(`\n\x1e${nonce} ${text}\n`);
      for (const bell of this.bells) bell.write(`${id}\n`);
    };
    record(`run ${Date.now()}`);
    for (const [position, isClient] of client.entries()) {
      const began = Date.now();
      record(`step ${position} ${began}`);
      if (isClient) for (let line = 1; line <= linesOfBuild; line++) write(`line ${line} of the build\n`);
      else write("Something was done.\n");
      await pause(Math.random() * longestStepMs);
      if (position === 0) record(`fact commit ${randomBytes(20).toString("hex")}`);
      record(`done ${position} 0 ${Date.now() - began} ${Date.now()}`);
    }
    run.ended = Date.now();
    record(`end succeeded ${run.ended}`);
  }

  private serveFiles(sftp: SFTPWrapper): void {
    const journalOf = (handle: Buffer) => this.runs.get(handle.readUInt32BE(0))?.journal ?? Buffer.alloc(0);
    sftp.on("OPEN", (request, path, flags) => {
      const id = Number(/runs\/(\d+)\/journal$/.exec(path)?.[1]);
      if (!this.runs.has(id) || !(flags & OPEN_MODE.READ)) return sftp.status(request, STATUS_CODE.NO_SUCH_FILE);
      const handle = Buffer.alloc(4);
      handle.writeUInt32BE(id);
      sftp.handle(request, handle);
    });
    sftp.on("READ", (request, handle, offset, length) => {
      const bytes = journalOf(handle).subarray(offset, offset + length);
      if (bytes.length === 0) sftp.status(request, STATUS_CODE.EOF);
      else sftp.data(request, bytes);
    });
    sftp.on("CLOSE", (request) => sftp.status(request, STATUS_CODE.OK));
  }
}

interface SimulatedPlan {
  nonce: string;
  /** For each step, whether it is one of the user's commands. */
  client: boolean[];
}

// As many steps as in the deployment of a static project with a build.
const plainPlan: SimulatedPlan = { nonce: "plain", client: [false, false, false, true, true, false, false, false] };

/** What a bundle of src/engine/runs/bundle.ts holds. Steps with a sandbox run as a user. */
function planOf(bundle: string): SimulatedPlan {
  const nonce = /nonce=(\w+)\n/.exec(bundle)?.[1];
  const steps = /^steps=(\d+)$/m.exec(bundle)?.[1];
  if (nonce === undefined || steps === undefined) throw new Error("A bundle without a plan came");
  const sandboxed = new Set(Array.from(bundle.matchAll(/\d run\/steps\/(\d+)\.sandbox\n/g), ([, at]) => Number(at)));
  return { nonce, client: Array.from({ length: Number(steps) }, (_, at) => sandboxed.has(at)) };
}

function answer(channel: ServerChannel, text: string): void {
  channel.resume();
  channel.write(text);
  channel.exit(0);
  channel.end();
}

async function inputOf(channel: ServerChannel): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of channel) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

const probe = [
  'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\nVERSION_ID="12"',
  "PROBE_ARCHITECTURE=x86_64\nPROBE_MEMORY_KB=2000000\nPROBE_CLIENT=127.0.0.1\nPROBE_VIRTUALIZATION=none\n",
].join("\n");

const count = Number(process.argv[2]);
const hostKey = ssh2.utils.generateKeyPairSync("rsa", { bits: 2048 }).private;
const servers = new Map<string, SimulatedServer>();
for (let at = 1; at <= count; at++) {
  const address = `127.77.${process.pid & 255}.${at}`;
  const server = new SimulatedServer();
  await server.listen(address, hostKey);
  servers.set(address, server);
}
process.on("message", () => {
  const journals = [...servers].map(([address, { runs }]) => [
    address,
    [...runs.values()].map(({ journal: _, ...run }) => run),
  ]);
  process.send?.({ journals });
});
process.on("disconnect", () => process.exit(0));
process.send?.({ addresses: [...servers.keys()], port });
