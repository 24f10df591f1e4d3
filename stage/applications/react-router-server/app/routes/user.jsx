import { useParams } from "react-router";

export default function User() {
  return <h1>release-1 for {useParams().name}</h1>;
}
