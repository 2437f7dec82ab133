import { walkNodes, type PageNode } from '../../contracts/browsers/page-snapshot';
import type { DecisionRequest } from '../../contracts/model-port/port';
import { parseInstruction } from '../language/parse-instruction';
import { targetsOf } from '../language/intent';
import { find } from '../matching/find';
import { indexPage } from '../matching/page-index';
import { TO_SET } from '../matching/purpose';
import { containsText } from '../page-text/contains-text';

const SIGN_OUT =
  /^(?:.*\b(?:click|press|tap|choose|select|open)\b(?:(?!\b(?:expect|wait|check|verify)\b).)*|\s*)\b(?:log|sign)[-_ ]?(?:out|off)\b/i;
/** What a step says further on, such as a long task, is not read: the words may be far apart. */
const READ_LENGTH = 500;

/** Whether a step signs out: after it a sign-in page is what was asked for. One that expects “Sign out” does not. */
export function signsOut(instruction: string): boolean {
  return SIGN_OUT.test(instruction.slice(0, READ_LENGTH));
}

const SIGN_IN = /\b(?:log|sign)[-_ ]?(?:in|on)\b|\/auth\b|\bsso\b/i;

type ReadStep = Pick<DecisionRequest, 'snapshot' | 'instruction' | 'laterSteps'>;

/** Whether an address that was opened has led to a page that asks to sign in first, and no step has anything to say to it. */
export function isUnwantedSignIn(opened: string | undefined, request: ReadStep): boolean {
  const { snapshot } = request;
  const [asked, shown] = [URL.parse(opened ?? ''), URL.parse(snapshot.url)];
  if (asked === null || shown === null || SIGN_IN.test(asked.pathname)) return false;
  // Who opens a site by its name alone is shown where to sign in.
  if (asked.origin === shown.origin && asked.pathname === '/') return false;
  const isElsewhere = asked.origin !== shown.origin || asked.pathname !== shown.pathname;
  return isElsewhere && asksToSignIn(shown, request);
}

/**
 * Whether a session that knows how to sign in has been thrown out: the page asks to sign in, does not show what only those see
 * who have, and was neither opened as such nor is it used by a step.
 */
export function isThrownOut(opened: string | undefined, signedInText: string, request: ReadStep): boolean {
  const shown = URL.parse(request.snapshot.url);
  if (shown === null || SIGN_IN.test(URL.parse(opened ?? '')?.pathname ?? '')) return false;
  const isSignedIn = [...walkNodes(request.snapshot.nodes)].some(({ node: { name = '', text = '' } }) =>
    [name, text].some((each) => containsText(each, signedInText)),
  );
  return !isSignedIn && asksToSignIn(shown, request);
}

/** Whether it is a sign-in page that no step has anything to say to. */
function asksToSignIn(shown: URL, request: ReadStep): boolean {
  const { snapshot, instruction, laterSteps = [] } = request;
  if (!SIGN_IN.test(shown.pathname) && !SIGN_IN.test(snapshot.title)) return false;
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
