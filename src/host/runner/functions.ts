import { functionOf } from "../script-file.ts";

// Functions of this folder's files, to call in `sh`.

const file = (name: string): URL => new URL(name, import.meta.url);

export const fact = functionOf(file("fact.sh"), "fact");
export const putFile = functionOf(file("put-file.sh"), "put_file");
export const putLink = functionOf(file("put-link.sh"), "put_link");
export const keepRunning = functionOf(file("keep-running.sh"), "keep_running");
export const applyChanges = functionOf(file("apply-changes.sh"), "apply_changes");
export const needPackages = functionOf(file("packages.sh"), "need_packages");
