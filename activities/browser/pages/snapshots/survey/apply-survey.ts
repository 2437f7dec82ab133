import { walkNodes, type PageNode } from '../../../../../contracts/browsers/page-snapshot';
import {
  isControlRole,
  isGlyphOnly,
  roleSelector,
  WITHOUT_ROLE_SELECTOR,
} from '../../../../../contracts/commands/role-selector';
import { isSameButForSpace, withSeenSpaces } from './seen-spaces';
import type { Survey, SurveyedElement } from './survey';

/** A longer name is no good way to find an element again: more of it changes. */
const LONGEST_NAME = 120;

/** The nodes of one frame in the order of the tree, without those of the frames in it. */
export interface FrameNodes {
  nodes: PageNode[];
  /** The node of its iframe; undefined for the page itself. */
  frame: PageNode | undefined;
}

export function framesIn(
  nodes: readonly (PageNode | string)[],
  frame?: PageNode,
  all: FrameNodes[] = [],
): FrameNodes[] {
  const own: FrameNodes = { nodes: [], frame };
  all.push(own);
  const visit = (node: PageNode | string): void => {
    if (typeof node === 'string') return;
    own.nodes.push(node);
    if (node.role === 'iframe') framesIn(node.children ?? [], node, all);
    else node.children?.forEach(visit);
  };
  nodes.forEach(visit);
  return all;
}

/** The prefix that the refs of one frame share; undefined where it has none. */
export function refPrefixIn(nodes: readonly PageNode[]): string | undefined {
  const ref = nodes.find((node) => node.ref !== undefined)?.ref;
  return ref === undefined ? undefined : /^(?:f\d+)?/.exec(ref)![0];
}

/** Adds to the nodes what the survey of their frame found, and the controls that the tree lacks. */
export function applySurveys(
  nodes: readonly (PageNode | string)[],
  surveyed: readonly { frame: FrameNodes; survey: Survey }[],
): (PageNode | string)[] {
  const found = new Map<string, SurveyedElement>();
  const locators = new Map<string, PageNode['locator']>();
  const missing = new Map<string | PageNode | undefined, SurveyedElement[]>();
  const cells = new Map(surveyed.flatMap(({ survey }) => Object.entries(survey.cells)));
  const texts = new Map(surveyed.flatMap(({ survey }) => survey.texts));
  const changedByClick = new Set(surveyed.flatMap(({ survey }) => survey.changedByClick));
  for (const { frame, survey } of surveyed) {
    for (const element of survey.elements) {
      found.set(element.ref, element);
      if (element.missing === undefined) continue;
      const place = element.missing.within ?? frame.frame;
      missing.set(place, [...(missing.get(place) ?? []), element]);
    }
    for (const [ref, locator] of roleLocators(frame, survey)) locators.set(ref, locator);
  }

  function rebuild(given: PageNode | string): PageNode | string {
    if (typeof given === 'string') return given;
    const seen = given.ref === undefined ? undefined : texts.get(given.ref);
    const node = seen === undefined ? given : withSeenSpaces(given, seen);
    const element = node.ref === undefined ? undefined : found.get(node.ref);
    const locator = node.ref === undefined ? undefined : (locators.get(node.ref) ?? element?.locator);
    const lacking = [
      ...(node.ref === undefined ? [] : (missing.get(node.ref) ?? [])),
      ...(node.role === 'iframe' ? (missing.get(node) ?? []) : []),
    ];
    const children = node.children?.map(rebuild);
    const own: PageNode = { ...node, ...(children === undefined ? {} : { children }) };
    const cell = node.ref === undefined ? undefined : cells.get(node.ref);
    if (cell !== undefined) own.cell = cell;
    if (element !== undefined) addFacts(own, element);
    if (locator !== undefined) own.locator = locator;
    if (lacking.length > 0) {
      own.children = inserted(own.children ?? [], lacking);
      // All that the group says is said by the control in it.
      if (own.role === 'generic' && lacking.some(({ missing: it }) => it?.text === own.text)) delete own.text;
    }
    return own;
  }

  const rebuilt = nodes.map(rebuild);
  const lacking = missing.get(undefined) ?? [];
  const all = lacking.length === 0 ? rebuilt : inserted(rebuilt, lacking);
  const notices = new Set(surveyed.flatMap(({ survey }) => survey.notices));
  if (changedByClick.size + notices.size > 0)
    for (const { node } of walkNodes(all)) {
      if (node.ref !== undefined && changedByClick.has(node.ref)) node.changedByClick = true;
      if (node.ref !== undefined && notices.has(node.ref)) node.isNotice = true;
    }
  return all;
}

function addFacts(node: PageNode, element: SurveyedElement): void {
  const { states, value, description, invalid, disabled, checked, expanded, pressed, selected } = element;
  if (states !== undefined && states.length > 0) node.states = states;
  if (value !== undefined && value !== node.text) node.value = value;
  if (description !== undefined && description !== node.name) node.description = description;
  if (invalid !== undefined) node.invalid = invalid;
  if (element.attributes !== undefined) node.attributes = element.attributes;
  if (element.acts !== undefined && Object.keys(element.acts).length > 0) node.acts = element.acts;
  if (element.drawing !== undefined) node.drawing = element.drawing;
  if (element.unreachable !== undefined) node.unreachable = element.unreachable;
  if (disabled === true) node.disabled = true;
  if (checked === true || checked === 'mixed') node.checked = checked;
  if (pressed === true || pressed === 'mixed') node.pressed = pressed;
  if (expanded !== undefined) node.expanded = expanded;
  if (selected === true) node.selected = true;
  if (element.isClickable === true) node.cursor = 'pointer';
  if (element.ariaHidden === true) node.ariaHidden = true;
  if (isGlyphOnly(node.name)) delete node.name;
  if (element.label !== undefined && element.label !== '' && !node.name) node.name = element.label;
}

/** Puts the missing elements behind those that precede them in the document. */
function inserted(
  children: readonly (PageNode | string)[],
  elements: readonly SurveyedElement[],
): (PageNode | string)[] {
  const top = [...children];
  const placed = new Map<string, PageNode>();
  for (const element of elements) {
    const { inside: around } = element.missing!;
    const parent = around === undefined ? undefined : placed.get(around);
    const all = parent === undefined ? top : (parent.children ??= []);
    const { role, text, after, holds } = element.missing!;
    const isNamed = role !== 'generic';
    const node: PageNode = { role, ref: element.ref };
    if (text !== '') node[isNamed ? 'name' : 'text'] = text;
    if (element.locator !== undefined) node.locator = element.locator;
    addFacts(node, element);
    placed.set(element.ref, node);
    // What is in it stands in it.
    const inside = all.flatMap((child, at) => (holds.some((ref) => contains(child, ref)) ? [at] : []));
    const [first, last] = [inside[0], inside.at(-1)];
    if (first !== undefined && last !== undefined) {
      node.children = all.slice(first, last + 1);
      delete node.text;
      all.splice(first, last + 1 - first, node);
      continue;
    }
    const before = after === undefined ? -1 : all.findLastIndex((child) => contains(child, after));
    const repeated = all.findIndex((child) => typeof child === 'string' && isSameButForSpace(child, text));
    if (text !== '' && repeated !== -1) all.splice(repeated, 1, node);
    else all.splice(before + 1, 0, node);
  }
  return top;
}

function contains(node: PageNode | string, ref: string): boolean {
  if (typeof node === 'string') return false;
  return node.ref === ref || (node.children ?? []).some((child) => contains(child, ref));
}

/**
 * The elements that their place in the tree does not find among the matches of their role and name, or of their role
 * alone: the tree drops equal elements, and names that the content repeats, and has slotted content in another order
 * than the document.
 */
function* roleLocators({ nodes }: FrameNodes, { named }: Survey): Generator<[string, PageNode['locator']]> {
  // Of a pruned frame neither the tree nor the survey has all elements.
  const isPruned = nodes.some(({ anchor, omitted }) => anchor !== undefined || omitted !== undefined);
  if (isPruned) return;
  const matches = new Map<string, string[]>();
  const nameOf = new Map<string, string>();
  for (const [ref, role, name] of named) {
    push(matches, role, ref);
    if (name !== '') push(matches, keyOf(role, name), ref);
    nameOf.set(ref, name);
  }
  const listed = new Map<string, (string | undefined)[]>();
  for (const { role, name, ref, ariaHidden } of nodes) {
    if (ariaHidden === true) continue;
    push(listed, role, ref);
    if (name) push(listed, keyOf(role, name), ref);
  }
  for (const { role, ref, name: shown = '' } of nodes) {
    const name = ref === undefined ? undefined : nameOf.get(ref);
    if (ref === undefined || name === undefined || WITHOUT_ROLE_SELECTOR.has(role)) continue;
    if (name.length > LONGEST_NAME || isGlyphOnly(name) || (name === '' && isControlRole(role))) continue;
    const key = name === '' ? role : keyOf(role, name);
    const [all, inTree] = [matches.get(key)!, listed.get(key) ?? []];
    const isAsListed =
      shown === name && inTree.length === all.length && all.every((each, index) => each === inTree[index]);
    if (isAsListed || inTree.includes(undefined)) continue;
    yield [
      ref,
      { selector: name === '' ? `role=${role}` : roleSelector(role, name), nth: all.indexOf(ref), of: all.length },
    ];
  }
}

function push<T>(groups: Map<string, T[]>, key: string, value: T): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [value]);
  else group.push(value);
}

function keyOf(role: string, name: string): string {
  return `${role} ${name}`;
}
