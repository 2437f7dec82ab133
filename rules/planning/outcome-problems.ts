import { walkNodes, type PageNode, type PageSnapshot } from '../../contracts/browsers/page-snapshot';
import { COMMANDS } from '../../contracts/commands/commands';
import { requestsIn, type CommandEvidence } from '../../contracts/commands/evidence';
import type { PastCommand, DecisionRequest } from '../../contracts/model-port/port';
import { DEFAULT_OUTCOME_POLICY, type OutcomePolicy } from '../../contracts/sessions/outcome-policy';
import type { Action } from '../language/intent';
import { parseInstruction } from '../language/parse-instruction';
import { truncate } from '../matching/item-text';
import { containsText } from '../page-text/contains-text';
import { plainText } from '../page-text/changes';
import { iterationsOfThisTry } from './progress';
import { describePage } from './replies';

/** What speaks against the last commands of a step, although all of them have succeeded. */
interface OutcomeProblem {
  kind: keyof OutcomePolicy;
  /** Quotes the page. */
  message: string;
}

type Observed = Extract<CommandEvidence, { kind: 'observed' }>;

/** What the last commands that acted have left, and where. */
interface Scene {
  outcomes: { outcome: PastCommand; evidence: Observed }[];
  snapshot: PageSnapshot;
  /** What messages have said since, that something was not done. */
  failures: string[];
  page: string;
  /** This step, or one that follows, gives what a sign-in page asks for. */
  signsIn: boolean;
}

/**
 * Lists what the page and its answers say against the last commands of a step, where the policy gives it this consequence.
 * What this step or the next one expects is no problem: who expects “Name is taken” wants to see it.
 */
export function outcomeProblems(request: DecisionRequest, consequence: 'fail' | 'warn'): OutcomeProblem[] {
  const last = iterationsOfThisTry(request).findLast(({ outcomes }) => outcomes.some(hasActed));
  if (last === undefined) return [];
  const { snapshot, outcomes: policy = DEFAULT_OUTCOME_POLICY } = request;
  const scene: Scene = {
    outcomes: last.outcomes.flatMap((outcome) =>
      hasActed(outcome) && outcome.evidence?.kind === 'observed' ? [{ outcome, evidence: outcome.evidence }] : [],
    ),
    snapshot,
    failures: failuresOn(snapshot),
    page: describePage(request),
    signsIn: [request.instruction, ...(request.laterSteps ?? [])].some((step) => SIGNING_IN.test(step)),
  };
  const expected = expectedTexts(request);
  return JUDGES.flatMap(({ kind, judge }) => {
    if (policy[kind] !== consequence) return [];
    const message = judge(scene);
    if (message === undefined || isExpected(expected, scene)) return [];
    return [{ kind, message }];
  });
}

const JUDGES: { kind: keyof OutcomePolicy; judge: (scene: Scene) => string | undefined }[] = [
  { kind: 'unansweredDialogs', judge: unansweredDialog },
  { kind: 'httpErrors', judge: httpError },
  { kind: 'signInPages', judge: signInPage },
  { kind: 'messages', judge: failureSaid },
  { kind: 'invalidFields', judge: invalidField },
];

function hasActed({ action, status }: PastCommand): boolean {
  return status === 'done' && !COMMANDS[action].onlyLooks;
}

function unansweredDialog({ outcomes }: Scene): string | undefined {
  const dialog = outcomes.flatMap(({ evidence }) => evidence.dialogs).find(({ isUnanswered }) => isUnanswered === true);
  if (dialog === undefined) return undefined;
  const answer = dialog.type === 'prompt' ? 'answer the prompt with "…"' : 'accept the dialog';
  return `The page asked “${truncate(dialog.message)}” (${dialog.type}), no answer was given for it, and so it was dismissed. Say with the step what to answer: ${answer}, or dismiss the dialog.`;
}

/** Left by a page that goes on, or by its own script. */
const GIVEN_UP = /ERR_ABORTED|ERR_BLOCKED_BY/;

function httpError({ outcomes, snapshot, failures, page }: Scene): string | undefined {
  for (const { evidence } of outcomes) {
    const refused = requestsIn(evidence).findLast(
      ({ url, status = 0, failure = '' }) =>
        isOfSite(url, evidence) && (status >= 400 || (status === 0 && failure !== '' && !GIVEN_UP.test(failure))),
    );
    if (refused === undefined) continue;
    // A document that was asked for again, or a request that was repeated with success.
    const later = requestsIn(evidence).slice(requestsIn(evidence).indexOf(refused) + 1);
    if (later.some(({ method, status = 0 }) => method === refused.method && status > 0 && status < 400)) continue;
    const isAnswered = refused.status !== undefined;
    const how = isAnswered ? `was answered with ${refused.status}` : `failed (${refused.failure})`;
    const said =
      failures[0] ?? invalidFields(snapshot)[0] ?? (refused.method === 'GET' ? firstText(snapshot) : undefined);
    return `${refused.method} ${refused.url} ${how}${said === undefined ? '' : `, and the page says “${truncate(said)}”`}: ${page}.`;
  }
  return undefined;
}

const SIGNING_IN = /\b(?:log|sign)\w*[-_ ]?(?:in|on)\b|pass(?:word|code|phrase)|user ?(?:name|id)\b|credential/i;
const SIGN_IN = /\b(?:log|sign)[-_ ]?(?:in|on)\b|\/auth\b|\bsso\b/i;
const PASSWORD = /pass(?:word|code|phrase)/i;

function signInPage({ outcomes, snapshot, page, signsIn }: Scene): string | undefined {
  const opened = outcomes.findLast(({ outcome }) => outcome.action === 'OPEN_PAGE')?.outcome.parameters.url;
  const [asked, shown] = [URL.parse(opened ?? ''), URL.parse(snapshot.url)];
  if (asked === null || shown === null || SIGN_IN.test(asked.pathname)) return undefined;
  // Who opens a site by its name alone is shown where to sign in, and who then signs in has expected it.
  if (signsIn || (asked.origin === shown.origin && asked.pathname === '/')) return undefined;
  const isElsewhere = asked.origin !== shown.origin || asked.pathname !== shown.pathname;
  if (!isElsewhere || !(SIGN_IN.test(shown.pathname) || SIGN_IN.test(snapshot.title))) return undefined;
  const hasPassword = [...walkNodes(snapshot.nodes)].some(
    ({ node }) => node.role === 'textbox' && PASSWORD.test(`${node.name} ${node.placeholder}`),
  );
  return hasPassword ? `${opened} was opened, and it led to a page that asks to sign in: ${page}.` : undefined;
}

function failureSaid({ failures, page }: Scene): string | undefined {
  const [said] = failures;
  return said === undefined ? undefined : `The page says “${truncate(said)}”: ${page}.`;
}

const PRESSES: readonly string[] = ['CLICK_ELEMENT', 'DOUBLE_CLICK', 'PRESS_KEY'];

/** While a form is filled in, its fields may be invalid still. */
function invalidField({ outcomes, snapshot, page }: Scene): string | undefined {
  const last = outcomes.at(-1);
  if (last === undefined || !PRESSES.includes(last.outcome.action) || last.evidence.navigations.length > 0)
    return undefined;
  const [field] = invalidFields(snapshot);
  return field === undefined ? undefined : `The page marks a field as invalid, ${field}: ${page}.`;
}

/** Fields that are marked since the last commands, in words. */
function invalidFields(snapshot: PageSnapshot): string[] {
  return [...walkNodes(snapshot.nodes)].flatMap(({ node, ancestors }) => {
    const { invalid = false, name = node.role } = node;
    if (invalid === false || !isNew(node, ancestors)) return [];
    return [typeof invalid === 'string' ? `“${name}”: ${invalid}` : `“${name}”`];
  });
}

/** English words of messages that say that something was not done. An alert may also say that it was. */
const FAILURE =
  /\b(?:error|fail|wrong|incorrect|invalid|denied|decline|reject|refuse|forbidden|unable|unavailable|unsuccessful|expired|missing|duplicate|conflict|exceed|blocked|locked|sorry|cannot)|n['’]t\b|\b(?:(?:was|is|are|were|could|been|did) not|not (?:found|valid|allowed|enough|saved|sent|possible|available|permitted|authorized)|already (?:taken|in use|exists|used|registered)|is taken|out of stock|no longer|must (?:be|have|not|contain|match)|required|too (?:short|long|many|large|weak|small)|try again|please (?:enter|select|choose|fill|check|provide|correct|try))\b/i;
const LONGEST_MESSAGE = 300;
const MESSAGES: readonly string[] = ['alert', 'alertdialog', 'status', 'log'];

/** The texts of messages that have come with the commands and say that something was not done. */
function failuresOn(snapshot: PageSnapshot): string[] {
  return [...walkNodes(snapshot.nodes)].flatMap(({ node, ancestors }) => {
    if (!MESSAGES.includes(node.role)) return [];
    const text = plainText(node).trim();
    const hasNews = isNew(node, ancestors) || [...walkNodes(node.children ?? [])].some((each) => each.node.since);
    return hasNews && text.length <= LONGEST_MESSAGE && FAILURE.test(text) ? [text] : [];
  });
}

function isNew(node: PageNode, ancestors: readonly PageNode[]): boolean {
  return [node, ...ancestors].some(({ since }) => since !== undefined);
}

function firstText(snapshot: PageSnapshot): string | undefined {
  const texts = [...walkNodes(snapshot.nodes)].map(({ node }) => node.name ?? node.text ?? '');
  return texts.find((text) => text.trim() !== '');
}

/** What is expected of the page: by this step, and by those that follow up to the next one that acts. */
function expectedTexts({ instruction, laterSteps = [] }: DecisionRequest): string[] {
  const texts = (actionsOf(instruction) ?? []).flatMap((action) => textExpected(action) ?? []);
  for (const step of laterSteps) {
    for (const action of actionsOf(step) ?? [undefined]) {
      const text = action && textExpected(action);
      if (text === undefined) return texts;
      texts.push(text);
    }
  }
  return texts;
}

function actionsOf(instruction: string): readonly Action[] | undefined {
  const parsed = parseInstruction(instruction);
  return parsed.kind === 'actions' ? parsed.actions : undefined;
}

function textExpected({ intent }: Action): string | undefined {
  if (intent.kind === 'expect' || intent.kind === 'wait') return intent.text;
  return intent.kind === 'expect-element' ? intent.target.said : undefined;
}

/** Whether a text that is expected is part of what has come with the commands. */
function isExpected(expected: readonly string[], { snapshot, outcomes, failures }: Scene): boolean {
  const isOtherPage = outcomes.some(({ evidence }) => evidence.navigations.length > 0);
  const asked = outcomes.flatMap(({ evidence }) => evidence.dialogs.map(({ message }) => message));
  const fresh = [...walkNodes(snapshot.nodes)].flatMap(({ node, ancestors }) =>
    isOtherPage || isNew(node, ancestors) ? [node.name ?? '', plainText(node)] : [],
  );
  return expected.some((text) => [...asked, ...failures, ...fresh].some((each) => containsText(each, text)));
}

/** Whether a request goes to the site of the page: the last two labels of its host are the same. */
function isOfSite(url: string, { urlBefore, urlAfter }: Observed): boolean {
  const site = (address: string): string | undefined => {
    const hostname = URL.parse(address)?.hostname;
    return hostname === undefined || /^[\d.]+$/.test(hostname) ? hostname : hostname.split('.').slice(-2).join('.');
  };
  return [urlBefore, urlAfter].some((address) => site(address) === site(url));
}
