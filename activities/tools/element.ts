import { walkNodes, type PageSnapshot, type PageNode } from '../../contracts/browsers/page-snapshot';
import type { Target } from '../../contracts/commands/planned-command';
import { durableTarget, refIn, selectorText } from '../page-text/durable-target';
import { isDestructive } from './destructive-controls';
import type { PlanContext } from './browser-plan';
import { Refusal } from './refusal';

export interface PlannedElement {
  target: Target;
  selector: string;
  /** For people: `button “Buy”`. */
  label: string;
  isDestructive: boolean;
  isPassword: boolean;
  /** Where the link goes that it is, or is part of. */
  leadsTo: string | undefined;
}

/**
 * The element that a ref of the model means: what it meant in the look it was shown in. On another page it means nothing
 * any more, however many elements have that number there.
 */
export function elementOf({ snapshot: look, shownSnapshot: shown }: PlanContext, given: string): PlannedElement {
  const ref = refIn(given);
  if (ref === undefined)
    throw new Refusal(`“${given}” is no ref. A ref reads like e12; read_page and find show those of this page.`);
  if (documentOf(shown.url) !== documentOf(look.url))
    throw new Refusal(
      `${ref} is a ref of ${shown.url}, and the page is ${look.url} now: read the page again (read_page or find).`,
    );
  const source = [shown, look].find((each) => [...walkNodes(each.nodes)].some(({ node }) => node.ref === ref));
  if (source === undefined)
    throw new Refusal(`There was no ${ref} on the page when it was read last: read it again (read_page or find).`);
  const target = durableTarget(source, ref);
  if (target === undefined)
    throw new Refusal(`${ref} has no name or text of its own to be found by: use what is in it, or a coordinate.`);
  const { role, name } = target;
  return {
    target,
    selector: selectorText(target),
    label: name === '' ? role : `${role} “${name}”`,
    isDestructive: isDestructive(target),
    isPassword: role === 'textbox' && /passwor[dt]|passphrase/i.test(name),
    leadsTo: linkOf(source, ref),
  };
}

function linkOf({ nodes, url }: PageSnapshot, ref: string): string | undefined {
  const found = [...walkNodes(nodes)].find(({ node }) => node.ref === ref);
  const link = found && [found.node, ...found.ancestors].find((node) => node.role === 'link' && node.url !== undefined);
  return link === undefined ? undefined : URL.parse(link.url!, url)?.href;
}

/** Another fragment is the same document. */
function documentOf(url: string): string {
  return url.split('#')[0]!;
}

const GROUPS = new Set(['row', 'listitem', 'article', 'dialog', 'alertdialog', 'form', 'group', 'figure']);
const CONTEXT_KEPT = 500;

/**
 * What stands around the element on the page as it is now, so that an approval of “Delete” is one of this row: empty
 * where the page has not as many of it as it had.
 */
export function surroundings(look: PageSnapshot, { role, name, nth, of }: Target): string {
  const equals = [...walkNodes(look.nodes)].filter(
    ({ node }) => node.role === role && (node.name ?? node.text ?? node.placeholder ?? '') === name,
  );
  const found = equals.length === of ? equals[nth] : equals.length === 1 ? equals[0] : undefined;
  const group = found?.ancestors.findLast((ancestor) => GROUPS.has(ancestor.role));
  return group === undefined ? '' : deepText(group).slice(0, CONTEXT_KEPT);
}

export function deepText(node: PageNode): string {
  const inner = (node.children ?? []).map((child) => (typeof child === 'string' ? child : deepText(child)));
  return [node.name, node.text, ...inner].filter((part) => part !== undefined && part !== '').join(' ');
}
