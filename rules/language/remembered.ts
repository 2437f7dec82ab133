const MOST = 20_000;

/** A pure function of a text that remembers what it gave, because the same names of a page are read again and again. */
export function remembered<Value>(compute: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= MOST) known.clear();
    const value = compute(text);
    known.set(text, value);
    return value;
  };
}
