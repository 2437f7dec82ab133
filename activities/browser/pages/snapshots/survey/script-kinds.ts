/**
 * Runs in the page's own world, and is self-contained. The function that it returns says by the text of a handler, and of
 * the functions of the page that it calls by their names, whether it sends something, deletes or pays by its words, or opens a dialog.
 */
export function createScriptKindOf(handled: Record<string, number>): (handler: unknown, isKey: boolean) => number {
  const LONGEST = 4000;
  const MOST_CALLS = 40;
  const SENDS =
    /\.(?:submit|requestSubmit|sendBeacon)\s*\(|\bmethod['"]?\s*:\s*['"`](?:post|put|patch|delete)\b|\.open\s*\(\s*['"`](?:post|put|patch|delete)\b|\b(?:axios|http|api|client|rest|\$|jQuery)\.(?:post|put|patch|delete)\s*\(/i;
  const CLICKS = /\.click\s*\(\s*\)/;
  /** A hidden field for files is clicked by its button. */
  const FILES = /file|upload|attach/i;
  const DELETES = /^(?:delete|remove|destroy|erase|purge|wipe)(?![a-z])(?!EventListener|AttributeNode|Class|Child)/;
  const PAYS = /^(?:pay|buy|purchase|checkout|order|donate|transfer|withdraw|charge)(?![a-z])/;
  const OPENS = /\.(?:showModal|showPopover|togglePopover)\s*\(/;
  const known = new WeakMap<object, number>();
  const textOf = (value: unknown): string => {
    try {
      return Function.prototype.toString.call(value).slice(0, LONGEST);
    } catch {
      return '';
    }
  };

  function kindOf(value: unknown, depth: number): number {
    if (typeof value !== 'function') return 0;
    const before = known.get(value);
    if (before !== undefined) return before;
    known.set(value, 0);
    const text = textOf(value);
    let kind = SENDS.test(text) || (CLICKS.test(text) && !FILES.test(text)) ? handled['sends']! : 0;
    if (OPENS.test(text)) kind |= handled['opens']!;
    let calls = 0;
    for (const [, name = ''] of text.matchAll(/(?<![.\w$])([a-z_$][\w$]{2,})\s*\(/gi)) {
      if ((calls += 1) > MOST_CALLS) break;
      if (DELETES.test(name)) kind |= handled['deletes']!;
      if (PAYS.test(name)) kind |= handled['pays']!;
      if (depth > 0) kind |= kindOf(Object.getOwnPropertyDescriptor(globalThis, name)?.value, depth - 1);
    }
    known.set(value, kind);
    return kind;
  }

  return (handler, isKey) => {
    try {
      const own = typeof handler === 'function' ? handler : (handler as { handleEvent?: unknown } | null)?.handleEvent;
      const text = isKey ? textOf(own) : '';
      const keys =
        (/\b(?:Delete|Backspace)\b|\b(?:46|8)\b/.test(text) ? handled['deleteKey']! : 0) |
        (/\bEnter\b|\b13\b/.test(text) ? handled['enterKey']! : 0);
      return kindOf(own, 2) | keys;
    } catch {
      // A page that guards its objects against being read.
      return 0;
    }
  };
}
