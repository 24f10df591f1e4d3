const isMac = /^Mac|^iP/.test(navigator.platform);

const modifier = isMac ? "⌘" : "Ctrl";

/** What opens the palette on this machine. */
export const paletteKeys = `${modifier} K`;

export const selectAllKeys = `${modifier} A`;
