export default function About() {
  return <h1>About release-1</h1>;
}
