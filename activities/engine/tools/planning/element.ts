import { walkNodes, type PageSnapshot, type PageNode } from '../../../../contracts/browsers/page-snapshot';
import type { Target } from '../../../../contracts/commands/planned-command';
import { kindOf } from '../../../../rules/matching/item-text';
import { durableTarget, selectorText } from '../../../../rules/page-text/durable-target';
import { writtenRef } from '../../models/replies/written-ref';
import type { PressedPlace } from '../../../deeds/judgement';
import type { PlanContext } from './browser-plan';
import { Refusal } from './arguments';

export interface PlannedElement {
  target: Target;
  selector: string;
  /** For people: `button “Buy”`. */
  label: string;
  /** Where it is in the snapshot. */
  place: PressedPlace;
  isPassword: boolean;
  /** The address of the link that it is, or that it is part of. */
  leadsTo: string | undefined;
}

/**
 * Resolves a ref of the model to the element that it stood for in the snapshot that the model was shown. A ref of another
 * page is refused, whatever has its number here.
 */
export function elementOf({ snapshot, shownSnapshot }: PlanContext, text: string): PlannedElement {
  const ref = writtenRef(text, shownSnapshot);
  if (ref === undefined) throw new Refusal(`“${text}” is no ref. A ref reads like e12; ${howToFind(text)}`);
  if (documentOf(shownSnapshot.url) !== documentOf(snapshot.url))
    throw new Refusal(
      `${ref} is a ref of ${shownSnapshot.url}, and the page is ${snapshot.url} now: read the page again (read_page or find).`,
    );
  const source = [shownSnapshot, snapshot].find((each) => placeIn(each, ref) !== undefined);
  const place = source && placeIn(source, ref);
  if (source === undefined || place === undefined)
    throw new Refusal(`There was no ${ref} on the page when it was read last: read it again (read_page or find).`);
  const target = durableTarget(source, ref);
  if (target === undefined)
    throw new Refusal(`${ref} has no name or text of its own to be found by: use what is in it, or a coordinate.`);
  const { role, name } = target;
  return {
    target,
    selector: selectorText(target),
    label: name === '' ? kindOf(target) : `${kindOf(target)} “${name}”`,
    place,
    isPassword: role === 'textbox' && /passwor[dt]|passphrase/i.test(name),
    leadsTo: linkOf(place, source.url),
  };
}

function placeIn({ nodes }: PageSnapshot, ref: string): PressedPlace | undefined {
  return [...walkNodes(nodes)].find(({ node }) => node.ref === ref);
}

/** A selector, as steps take it, names the text by which `find` gives its ref. */
function howToFind(text: string): string {
  const words = [...text.matchAll(/"([^"]+)"|'([^']+)'/g)].map(([, double, single]) => double ?? single).join(' ');
  return words === ''
    ? 'read_page and find show those of this page.'
    : `find with the query “${words}” shows those of the elements with these words.`;
}

function linkOf({ node, ancestors }: PressedPlace, url: string): string | undefined {
  const link = [node, ...ancestors].find((each) => each.role === 'link' && each.url !== undefined);
  return link === undefined ? undefined : URL.parse(link.url!, url)?.href;
}

/** Two addresses that differ in the fragment are the same document. */
function documentOf(url: string): string {
  return url.split('#')[0]!;
}

const GROUPS = new Set(['row', 'listitem', 'article', 'dialog', 'alertdialog', 'form', 'group', 'figure']);
const CONTEXT_KEPT = 500;

/**
 * The text of the group around the element on the current page, so that an approval of “Delete” is bound to its row.
 * Empty where the page has another number of equal elements.
 */
export function targetSurroundings({ nodes }: PageSnapshot, { role, name, nth, of }: Target): string {
  const equals = [...walkNodes(nodes)].filter(
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
