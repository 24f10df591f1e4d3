import { randomInt } from "node:crypto";
import { createServer } from "node:net";

// Below the ports that the kernel assigns to connections and to servers that request any port: no other program gets
// one of these between the moment a test picks it and the moment its program listens there.
const [first, last] = [10_000, 32_000];

/** A port that is free on each address of this machine, for a program that cannot choose one itself. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(first, last);
    if (await isFree(port)) return port;
  }
}

/** Several different ports. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((tell) => {
    const server = createServer().once("error", () => tell(false));
    server.listen(port, "0.0.0.0", () => server.close(() => tell(true)));
  });
