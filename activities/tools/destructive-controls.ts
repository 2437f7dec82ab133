import { walkNodes, type PageSnapshot, type PageNode } from '../../contracts/browsers/page-snapshot';

/** What a control is called that destroys, pays or sends (S3.A6). In the languages that pages are seen in most. */
const WORDS = [
  'delete remove cancel erase destroy discard deactivate unsubscribe terminate reset',
  'pay buy purchase order checkout donate transfer withdraw subscribe bid',
  // To sign in, up or out is none of it; to sign a contract is.
  'send submit publish post confirm accept approve sign(?![\\s-]?(?:in|on|up|out|off)(?![\\p{L}\\p{N}]))',
  'löschen entfernen stornieren kündigen kaufen bezahlen bestellen senden absenden überweisen',
  'supprimer annuler acheter payer commander envoyer publier',
  'eliminar borrar cancelar comprar pagar enviar publicar',
].flatMap((line) => line.split(' '));
const DESTRUCTIVE = new RegExp(`(?<![\\p{L}\\p{N}])(?:${WORDS.join('|')})(?![\\p{L}\\p{N}])`, 'iu');
/** What is written in, or only read, does nothing when it is pressed. */
const HARMLESS = new Set(['textbox', 'searchbox', 'spinbutton', 'heading', 'option', 'tab']);

/** True when the name says that pressing it can't be taken back. */
export function isDestructive({ role, name }: { role: string; name: string }): boolean {
  return !HARMLESS.has(role) && DESTRUCTIVE.test(name);
}

/** What a point on the page may hit: where it is not known, the most dangerous of all there is. */
export function hasDestructiveControl(look: PageSnapshot): boolean {
  return [...walkNodes(look.nodes)].some(({ node }) => isControl(node) && isDestructive(labelOf(node)));
}

/** What Enter or Space would press: what has the focus, and for a field the buttons that it stands beside. */
export function isEnterDestructive(look: PageSnapshot): boolean {
  const places = [...walkNodes(look.nodes)];
  const focus = places.findLast(({ node }) => node.active === true);
  if (focus === undefined) return false;
  if (isDestructive(labelOf(focus.node))) return true;
  if (!HARMLESS.has(focus.node.role) && !['combobox', 'checkbox', 'radio'].includes(focus.node.role)) return false;
  const around = focus.ancestors.toReversed().map((ancestor) => buttonsIn(ancestor.children ?? []));
  const beside = around.find((buttons) => buttons.length > 0) ?? buttonsIn(look.nodes);
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
