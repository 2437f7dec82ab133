/**
 * Runs in an isolated world. What identifies a control in its source, where a number was made for one visit, and where it
 * sends a form.
 */
export function attributesOf(element: Element, submits: string | undefined): Record<string, string> | undefined {
  const found: Record<string, string> = {};
  for (const name of ['data-testid', 'data-test', 'id', 'name']) {
    const value = element.getAttribute(name) ?? '';
    if (/^[a-z][\w.-]{0,59}$/i.test(value) && !/\d{2}/.test(value)) found[name] = value;
  }
  if (submits !== undefined) found['submits'] = submits;
  return Object.keys(found).length === 0 ? undefined : found;
}
