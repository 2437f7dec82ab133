import { walkNodes, type PageSnapshot, type PageNode } from '../../../contracts/browsers/page-snapshot';

/** Words in the names of controls that delete, pay or send (S3.A6), in the most frequent languages of pages. */
const WORDS = [
  'delete remove cancel erase destroy discard deactivate unsubscribe terminate reset',
  'pay buy purchase order checkout donate transfer withdraw subscribe bid',
  // “Sign in”, “sign up” and “sign out” are harmless; “sign” alone may sign a contract.
  'send submit publish post confirm accept approve sign(?![\\s-]?(?:in|on|up|out|off)(?![\\p{L}\\p{N}]))',
  'löschen entfernen stornieren kündigen kaufen bezahlen bestellen senden absenden überweisen',
  'supprimer annuler acheter payer commander envoyer publier',
  'eliminar borrar cancelar comprar pagar enviar publicar',
].flatMap((line) => line.split(' '));
const DESTRUCTIVE = new RegExp(`(?<![\\p{L}\\p{N}])(?:${WORDS.join('|')})(?![\\p{L}\\p{N}])`, 'iu');
/** Roles of elements that are written into or read: a click on them does nothing. */
const HARMLESS = new Set(['textbox', 'searchbox', 'spinbutton', 'heading', 'option', 'tab']);

/** True when the name of a control says that pressing it can't be undone. */
export function isDestructive({ role, name }: { role: string; name: string }): boolean {
  return !HARMLESS.has(role) && DESTRUCTIVE.test(name);
}

/** True when the page has a destructive control: a point may hit any of them. */
export function hasDestructiveControl({ nodes }: PageSnapshot): boolean {
  return [...walkNodes(nodes)].some(({ node }) => isControl(node) && isDestructive(labelOf(node)));
}

/** True when Enter or Space may press a destructive control: the focused one, or for a field the buttons beside it. */
export function isEnterDestructive({ nodes }: PageSnapshot): boolean {
  const places = [...walkNodes(nodes)];
  const focus = places.findLast(({ node }) => node.active === true);
  if (focus === undefined) return false;
  if (isDestructive(labelOf(focus.node))) return true;
  if (!HARMLESS.has(focus.node.role) && !['combobox', 'checkbox', 'radio'].includes(focus.node.role)) return false;
  const around = focus.ancestors.toReversed().map((ancestor) => buttonsIn(ancestor.children ?? []));
  const beside = around.find((buttons) => buttons.length > 0) ?? buttonsIn(nodes);
  return beside.some((button) => isDestructive(labelOf(button)));
}

function buttonsIn(nodes: readonly (PageNode | string)[]): PageNode[] {
  return [...walkNodes(nodes)].map(({ node }) => node).filter(({ role }) => role === 'button');
}

function isControl({ role, cursor }: PageNode): boolean {
  return role === 'button' || role === 'link' || role === 'menuitem' || cursor === 'pointer';
}

export function labelOf({ role, name, text, placeholder }: PageNode): { role: string; name: string } {
  return { role, name: name || text || placeholder || '' };
}
