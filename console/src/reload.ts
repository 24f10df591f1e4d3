/** After this long, a chunk that is missing again is worth another reload. */
const quietMs = 60_000;

/** After an upgrade of the server an open page may ask for a chunk that is gone: loads the new version, once. */
export function reloadForMissingChunks(): void {
  addEventListener("vite:preloadError", (event) => {
    const reloadedAt = Number(sessionStorage.getItem("reloaded") ?? 0);
    if (Date.now() - reloadedAt < quietMs) return;
    event.preventDefault();
    sessionStorage.setItem("reloaded", String(Date.now()));
    // Drafts are saved by the pages that hold them when the page goes.
    location.reload();
  });
}
