/** Whether each word of the text begins a word of the label: "new pr" finds "New project". */
export function matches(label: string, text: string): boolean {
  const words = label.toLowerCase().split(/\s+/);
  return wordsOf(text).every((typed) => words.some((word) => word.startsWith(typed)));
}

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** What is to be searched on the server: "deploy shop" means the project "shop". */
export function searchedText(text: string): { q: string; isDeploy: boolean } {
  const name = /^\s*deploy\s+(\S.*)$/i.exec(text)?.[1];
  return { q: (name ?? text).trim().slice(0, 100), isDeploy: name !== undefined };
}
