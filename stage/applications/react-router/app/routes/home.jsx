export default function Home() {
  return <h1>release-1</h1>;
}
