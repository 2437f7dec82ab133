/** Roles of snapshots that a role selector can't match. */
export const WITHOUT_ROLE_SELECTOR: ReadonlySet<string> = new Set(['generic', 'iframe', 'text']);

const CONTROL_ROLES = new Set(
  'button link textbox searchbox checkbox radio combobox listbox option switch slider spinbutton tab menuitem menuitemcheckbox menuitemradio treeitem img'.split(
    ' ',
  ),
);

export function isControlRole(role: string): boolean {
  return CONTROL_ROLES.has(role);
}

/** Matches the elements of a role and exact accessible name. */
export function roleSelector(role: string, name: string): string {
  return `role=${role}[name=${inSelector(name)}s]`;
}

export function inSelector(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** Whether a name has nothing but the glyphs of an icon font. */
export function isGlyphOnly(name: string | undefined): boolean {
  return name !== undefined && /^[\s\p{Co}]+$/u.test(name);
}
