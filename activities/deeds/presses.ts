import type { ObservedRequest } from '../../contracts/commands/evidence';
import { walkNodes, type PageNode } from '../../contracts/browsers/page-snapshot';
import { deedInAddress, judgeOpening } from './addresses';
import { judgeForm } from './forms';
import { acceptsCookies } from './cookie-consent';
import { deed, HARMLESS, unknown, worstOf, type Judgement, type PressedPlace } from './judgement';
import { whyNamed } from './names/name-deed';
import { saysWrite } from './names/writing-words';

/** What a press is judged by beside the control itself. */
export interface PressFacts {
  pageUrl: string;
  /** Requests that may have changed something, which pressing the same control sent before. */
  sentBefore?: ((place: PressedPlace) => readonly ObservedRequest[]) | undefined;
}

/** Roles that act when they are pressed. */
const PRESSED =
  /^(?:button|link|menuitem(?:checkbox|radio)?|option|tab|treeitem|switch|checkbox|radio|gridcell|combobox|slider)$/;
const FIELD_ROLES = /^(?:textbox|searchbox|spinbutton)$/;
const FIELDS =
  /^(?:text|search|tel|url|email|password|number|date|month|week|time|datetime-local|range|color|textarea|editable|select)$/;
/** A group that is no control itself is pressed where its middle is, which may be a control in it. */
const MOST_INNER = 2;
const LONGEST_NAME = 500;

/** True for a place that is written into: a press gives it the focus. */
export function isTextField({ role, acts, states = [] }: PageNode): boolean {
  if (acts?.native !== undefined) return FIELDS.test(acts.native);
  // A snapshot without a survey has the role alone.
  return FIELD_ROLES.test(role) && (acts?.handles === undefined || states.includes('editable'));
}

/** What pressing an element does, by click, by key or by a command that comes to it. */
export function judgePress(place: PressedPlace, facts: PressFacts): Judgement {
  const { node, ancestors } = place;
  const outer = ancestors.findLast(({ role }) => PRESSED.test(role));
  const listening = ancestors.filter(({ acts }) => acts?.handles?.includes('click'));
  const isOwn = PRESSED.test(node.role) || node.acts?.handles?.includes('click') === true;
  const inner = isOwn || outer !== undefined ? [] : innerControls(node);
  return worstOf([
    judgeOwn(place, facts),
    ...(outer === undefined
      ? []
      : [judgeOwn({ node: outer, ancestors: ancestors.slice(0, ancestors.indexOf(outer)) }, facts)]),
    // What is around it hears the click as well.
    ...listening.map(({ acts }) => judgeScripts(acts?.scripts ?? [], namesOf(node))),
    ...inner.map((each) => judgeOwn({ node: each, ancestors: [] }, facts)),
  ]);
}

function innerControls(node: PageNode): PageNode[] {
  const controls = [...walkNodes(node.children ?? [])]
    .map((each) => each.node)
    .filter(({ role }) => PRESSED.test(role));
  return controls.length > MOST_INNER ? [] : controls;
}

function judgeOwn(place: PressedPlace, facts: PressFacts): Judgement {
  const { node } = place;
  const { acts = {}, role, url } = node;
  const name = namesOf(node);
  const scripts = acts.scripts ?? [];
  const isHandled = acts.handles?.includes('click') === true;
  if (isTextField(node)) return isHandled ? judgeScripts(scripts, name) : HARMLESS;
  // A heading is read, unless something waits for its click.
  const isRead = role === 'heading' && !isHandled && node.cursor !== 'pointer';
  const isNoDeed = isRead || opensDialog(node) || acceptsCookies(place, name);
  const named = isNoDeed ? undefined : whyNamed(name);
  if (named !== undefined) return deed(named);
  const sent = facts.sentBefore?.(place).find(({ method, url: to }) => isDeedRequest(method, to));
  if (sent !== undefined) return deed(`When it was pressed before, it sent ${sent.method} ${sent.url.slice(0, 200)}.`);
  return worstOf([
    url === undefined ? HARMLESS : judgeOpening(URL.parse(url, facts.pageUrl)?.href ?? url),
    // Ticking a box sends nothing; Enter in it would.
    acts.form === undefined || !isSubmitter(node) ? HARMLESS : judgeForm(acts.form, facts.pageUrl, name),
    judgeScripts(scripts, name),
    name === '' && isHandled && (node.children ?? []).length === 0 && node.description === undefined && role !== 'link'
      ? unknown('It has no name, and a script that waits for its click.')
      : HARMLESS,
    acts.native === undefined && (node.states ?? []).includes('canvas')
      ? unknown('It is drawn, and nothing says what its parts do.')
      : HARMLESS,
  ]);
}

/** Its name, and what is read in it: a label for machines may say something else than the text that is seen. */
function namesOf(node: PageNode): string {
  const inner = (each: PageNode | string): string => {
    if (typeof each === 'string') return each;
    if (PRESSED.test(each.role) || isTextField(each) || each.role === 'menu' || each.role === 'group') return '';
    return [each.name, each.text, ...(each.children ?? []).map(inner)].filter(Boolean).join(' ');
  };
  const said = PRESSED.test(node.role) ? (node.children ?? []).map(inner).filter((text) => text !== '') : [];
  return [...new Set([node.name || node.text || node.placeholder || '', node.text ?? '', ...said])]
    .join(' ')
    .trim()
    .slice(0, LONGEST_NAME);
}

/** The deed is in the dialog, whatever the button is called that opens it. */
function opensDialog(node: PageNode): boolean {
  const { opensDialog: opens, scripts = [], form } = node.acts ?? {};
  return opens === true && scripts.length === 0 && (form === undefined || !isSubmitter(node));
}

function isSubmitter({ acts, role }: PageNode): boolean {
  return acts?.native === undefined || /^(?:button|submit|image)$/.test(acts.native) || role === 'button';
}

/** What handlers do by their text. */
export function judgeScripts(scripts: readonly string[], name: string): Judgement {
  if (scripts.includes('deletes')) return deed('Its script calls a function that deletes.');
  if (scripts.includes('pays')) return deed('Its script calls a function that pays or orders.');
  if (scripts.includes('sends') && !saysWrite(name))
    return unknown('Its script sends something, and nothing says what that does.');
  return HARMLESS;
}

function isDeedRequest(method: string, address: string): boolean {
  if (method === 'DELETE') return true;
  return !/^(?:GET|HEAD)$/.test(method) && deedInAddress(address) !== undefined;
}
