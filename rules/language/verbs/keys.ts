const MODIFIERS: Record<string, string> = {
  ctrl: 'Control',
  control: 'Control',
  strg: 'Control',
  cmd: 'Meta',
  command: 'Meta',
  meta: 'Meta',
  win: 'Meta',
  windows: 'Meta',
  alt: 'Alt',
  option: 'Alt',
  shift: 'Shift',
};

const KEYS: Record<string, string> = {
  enter: 'Enter',
  return: 'Enter',
  escape: 'Escape',
  esc: 'Escape',
  tab: 'Tab',
  space: 'Space',
  spacebar: 'Space',
  'space bar': 'Space',
  backspace: 'Backspace',
  delete: 'Delete',
  del: 'Delete',
  insert: 'Insert',
  home: 'Home',
  end: 'End',
  'page up': 'PageUp',
  pageup: 'PageUp',
  'page down': 'PageDown',
  pagedown: 'PageDown',
};
for (const side of ['Up', 'Down', 'Left', 'Right']) {
  for (const name of [`arrow${side}`, `arrow ${side}`, `${side} arrow`]) KEYS[name.toLowerCase()] = `Arrow${side}`;
}

/** Playwright's name of a key; undefined for words that name no key. */
export function keyOf(said: string): string | undefined {
  const words = said
    .toLowerCase()
    .replace(/^the\s+/, '')
    .replace(/^keys?\s+|\s+keys?$/g, '')
    .trim();
  const parts = words.split(/\s*\+\s*|(?<=^(?:ctrl|control|cmd|command|alt|shift|meta))[-\s](?=\S)/);
  const last = parts.at(-1) ?? '';
  const modifiers = parts.slice(0, -1).map((part) => (Object.hasOwn(MODIFIERS, part) ? MODIFIERS[part] : undefined));
  if (modifiers.includes(undefined)) return undefined;
  const isSingle = /^[^\s]$/u.test(last);
  const key = Object.hasOwn(KEYS, last)
    ? KEYS[last]
    : /^f(?:[1-9]|1[0-2])$/.test(last)
      ? last.toUpperCase()
      : isSingle
        ? last.toUpperCase()
        : undefined;
  if (key === undefined) return undefined;
  return [...modifiers, modifiers.length === 0 && isSingle ? last : key].join('+');
}

/** Whether the words may also name a button: "press Delete" may, "press the Delete key" may not. */
export function ambiguousKey(said: string): boolean {
  return /^(?:the\s+)?(?:delete|home|end|insert|\S)$/i.test(said.trim());
}
