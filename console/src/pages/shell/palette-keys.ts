const isMac = /^Mac|^iP/.test(navigator.platform);

/** What opens the palette on this machine. */
export const paletteKeys = isMac ? "⌘ K" : "Ctrl K";
