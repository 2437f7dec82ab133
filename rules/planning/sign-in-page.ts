import { walkNodes, type PageNode } from '../../contracts/browsers/page-snapshot';
import type { DecisionRequest } from '../../contracts/model-port/port';
import { parseInstruction } from '../language/parse-instruction';
import { targetsOf } from '../language/intent';
import { find } from '../matching/find';
import { indexPage } from '../matching/page-index';
import { TO_SET } from '../matching/purpose';
import { containsText } from '../page-text/contains-text';

const SIGN_IN = /\b(?:log|sign)[-_ ]?(?:in|on)\b|\/auth\b|\bsso\b/i;

type ReadStep = Pick<DecisionRequest, 'snapshot' | 'instruction' | 'laterSteps'>;

/** Whether an address that was opened has led to a page that asks to sign in first, and no step has anything to say to it. */
export function isUnwantedSignIn(opened: string | undefined, request: ReadStep): boolean {
  const { snapshot, instruction, laterSteps = [] } = request;
  const [asked, shown] = [URL.parse(opened ?? ''), URL.parse(snapshot.url)];
  if (asked === null || shown === null || SIGN_IN.test(asked.pathname)) return false;
  // Who opens a site by its name alone is shown where to sign in.
  if (asked.origin === shown.origin && asked.pathname === '/') return false;
  const isElsewhere = asked.origin !== shown.origin || asked.pathname !== shown.pathname;
  if (!isElsewhere || !(SIGN_IN.test(shown.pathname) || SIGN_IN.test(snapshot.title))) return false;
  const nodes = [...walkNodes(snapshot.nodes)].map(({ node }) => node);
  if (!nodes.some(isPassword)) return false;
  return ![instruction, ...laterSteps].some((step) => usesPage(step, request, nodes));
}

function isPassword({ role, name = '', placeholder = '', states = [] }: PageNode): boolean {
  const isNamed = role === 'textbox' && /pass(?:word|code|phrase)/i.test(`${name} ${placeholder}`);
  return isNamed || states.includes('type=password');
}

/** A step that fills in a field of the page has expected it; one in words of its own, where it names a control of the page. */
function usesPage(step: string, { snapshot }: ReadStep, nodes: readonly PageNode[]): boolean {
  const parsed = parseInstruction(step);
  const intents = parsed.kind === 'actions' ? parsed.actions.map(({ intent }) => intent) : [];
  const isFree = parsed.kind === 'unknown' || intents.some(({ kind }) => kind === 'words');
  const filling = intents.filter(({ kind }) => kind === 'type' || kind === 'set');
  if (!isFree && filling.length === 0) return false;
  const roles = isFree ? /^(?:textbox|button)$/ : /^textbox$/;
  if (nodes.some(({ role, name = '' }) => roles.test(role) && name !== '' && containsText(step, name))) return true;
  const page = indexPage(snapshot);
  return filling.some((intent) => targetsOf(intent).some((target) => find(page, target, TO_SET).kind !== 'none'));
}
