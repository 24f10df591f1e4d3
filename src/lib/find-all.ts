/** Where values occur: from `start` to before `end`. */
export interface Span {
  start: number;
  end: number;
}

/**
 * Finds every occurrence of any of the values (none of which is empty) and returns the spans that they cover, in order;
 * occurrences that overlap are one span. The time is proportional to the searched bytes, independent of the number of values
 * and of their overlaps (Aho and Corasick, https://doi.org/10.1145/360825.360855). The memory is some 30 bytes for each byte
 * of the values.
 */
export function spanFinder(values: readonly Buffer[]): (bytes: Buffer) => Span[] {
  if (values.length === 0) return () => [];
  const { next, longestEnding } = automatonOf(values);
  return (bytes) => {
    const spans: Span[] = [];
    let last: Span | undefined;
    for (let at = 0, state = root; at < bytes.length; at++) {
      state = next(state, bytes[at] as number);
      const length = longestEnding[state] as number;
      if (length === 0) continue;
      const found = { start: at + 1 - length, end: at + 1 };
      // A longer match that ends here may begin before those found so far.
      while (last && last.end > found.start) {
        found.start = Math.min(found.start, last.start);
        spans.pop();
        last = spans.at(-1);
      }
      spans.push(found);
      last = found;
    }
    return spans;
  };
}

const root = 0;

interface Automaton {
  /** The state for the longest prefix of a value that is a suffix of the bytes so far. */
  next: (state: number, byte: number) => number;
  /** For each state, the length of the longest value with which it ends; 0 without one. */
  longestEnding: Int32Array;
}

function automatonOf(values: readonly Buffer[]): Automaton {
  const most = 1 + values.reduce((sum, value) => sum + value.length, 0);
  const edges = edgeTable(most);
  const longestEnding = new Int32Array(most);
  let states = 1;
  const parents = new Int32Array(most);
  const bytesIn = new Uint8Array(most);
  const depths = new Int32Array(most);
  for (const value of values) {
    let state = root;
    for (const byte of value) {
      let child = edges.find(state, byte);
      if (child === root) {
        child = states++;
        edges.add(state, byte, child);
        parents[child] = state;
        bytesIn[child] = byte;
        depths[child] = (depths[state] as number) + 1;
      }
      state = child;
    }
    longestEnding[state] = value.length;
  }
  const fallbacks = new Int32Array(states);
  const next = (from: number, byte: number): number => {
    for (let state = from; ; state = fallbacks[state] as number) {
      const child = edges.find(state, byte);
      if (child !== root || state === root) return child;
    }
  };
  for (const state of byDepth(depths.subarray(0, states))) {
    const parent = parents[state] as number;
    if (parent !== root) fallbacks[state] = next(fallbacks[parent] as number, bytesIn[state] as number);
    longestEnding[state] ||= longestEnding[fallbacks[state] as number] as number;
  }
  return { next, longestEnding };
}

/** The states except the root, in order of depth: the fallback of a state is always less deep. */
function byDepth(depths: Int32Array): Int32Array {
  const starts = new Int32Array(depths.length + 1);
  for (const depth of depths) (starts[depth + 1] as number)++;
  for (let depth = 1; depth < starts.length; depth++) (starts[depth] as number) += starts[depth - 1] as number;
  const ordered = new Int32Array(depths.length);
  for (let state = 0; state < depths.length; state++) ordered[(starts[depths[state] as number] as number)++] = state;
  return ordered.subarray(1);
}

interface Edges {
  /** The child of a state by a byte, or the root when it has no such child. */
  find: (state: number, byte: number) => number;
  add: (state: number, byte: number, child: number) => void;
}

// A table of 256 children for each state would need a gigabyte for a megabyte of values. Only the root, where most
// bytes are read, has such a table; other children are hashed, with open addressing in a table that is at most half
// full.
function edgeTable(most: number): Edges {
  const fromRoot = new Int32Array(256);
  const bits = Math.ceil(Math.log2(most)) + 1;
  const mask = 2 ** bits - 1;
  const keys = new Float64Array(mask + 1);
  const children = new Int32Array(mask + 1);
  const slotOf = (key: number): number => {
    let slot = Math.imul(key ^ (key >>> 15), 0x9e3779b1) >>> (32 - bits);
    while (children[slot] !== root && keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  };
  return {
    find: (state, byte) => (state === root ? fromRoot[byte] : children[slotOf(state * 256 + byte)]) as number,
    add: (state, byte, child) => {
      if (state === root) fromRoot[byte] = child;
      const slot = slotOf(state * 256 + byte);
      keys[slot] = state * 256 + byte;
      children[slot] = child;
    },
  };
}
