import { Refusal } from '../planning/arguments';

/** Playwright's names of keys, by what people and models call them. */
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

/** Playwright's name of one key with its modifiers: `ctrl+a` is Control+a. */
export function namedKey(text: string): string {
  const written = text.trim();
  if (/\s/.test(written))
    throw new Refusal(`“${text}” are several keys: press them one by one, or use type for a text.`);
  const parts = written === '+' ? ['+'] : written.split(/\+(?!$)/);
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
