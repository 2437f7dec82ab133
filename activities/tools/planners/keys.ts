import { Refusal } from '../refusal';

/** What people and models call a key, and what it is called in a browser. */
const NAMES: Record<string, string> = {
  return: 'Enter',
  enter: 'Enter',
  esc: 'Escape',
  escape: 'Escape',
  tab: 'Tab',
  space: 'Space',
  del: 'Delete',
  delete: 'Delete',
  backspace: 'Backspace',
  up: 'ArrowUp',
  down: 'ArrowDown',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  pageup: 'PageUp',
  page_up: 'PageUp',
  pagedown: 'PageDown',
  page_down: 'PageDown',
  home: 'Home',
  end: 'End',
  insert: 'Insert',
};
const MODIFIERS: Record<string, 'Alt' | 'Control' | 'Meta' | 'Shift'> = {
  ctrl: 'Control',
  control: 'Control',
  alt: 'Alt',
  option: 'Alt',
  shift: 'Shift',
  cmd: 'Meta',
  command: 'Meta',
  meta: 'Meta',
  super: 'Meta',
  win: 'Meta',
};

/** One key with what is held: `ctrl+a` is Control+A to a browser. */
export function keyOf(text: string): string {
  const given = text.trim();
  if (/\s/.test(given)) throw new Refusal(`“${text}” are several keys: press them one by one, or use type for a text.`);
  const parts = given === '+' ? ['+'] : given.split(/\+(?!$)/);
  return parts.map((part) => MODIFIERS[part.toLowerCase()] ?? NAMES[part.toLowerCase()] ?? part).join('+');
}

export function modifiersOf(text: string | undefined): ('Alt' | 'Control' | 'Meta' | 'Shift')[] {
  const parts = (text ?? '').split(/[+,\s]+/).filter((part) => part !== '');
  return parts.map((part) => {
    const modifier = MODIFIERS[part.toLowerCase()];
    if (modifier === undefined)
      throw new Refusal(`“${part}” is no key to hold: use Control, Alt, Shift or Meta, joined by +.`);
    return modifier;
  });
}
