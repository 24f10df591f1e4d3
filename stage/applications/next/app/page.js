import Link from "next/link";
import { Counter } from "./counter.js";

export const dynamic = "force-dynamic";

export default function Home() {
  return (
    <main>
      <h1>release-1</h1>
      <Counter />
      <Link href="/about">About</Link>
    </main>
  );
}
