import { walkNodes, type PageSnapshot } from '../../contracts/browsers/page-snapshot';
import { COMMANDS } from '../../contracts/commands/commands';
import { requestsIn, type CommandEvidence } from '../../contracts/commands/evidence';
import type { PastCommand, PastIteration, DecisionRequest } from '../../contracts/model-port/port';
import { DEFAULT_OUTCOME_POLICY, type OutcomePolicy } from '../../contracts/sessions/outcome-policy';
import type { Action } from '../language/intent';
import { parseInstruction } from '../language/parse-instruction';
import { textOf } from '../matching/read-by-words';
import { truncate } from '../matching/item-text';
import { containsText } from '../page-text/contains-text';
import { plainText } from '../page-text/changes';
import { deniedDeed } from './denied-deed';
import { failureMessages, invalidFields, isNew } from './failure-messages';
import { describePage } from './replies';
import { isUnwantedSignIn } from './sign-in-page';

/** What speaks against the last commands of a step, although all of them have succeeded. */
export interface OutcomeProblem {
  kind: keyof OutcomePolicy;
  /** Quotes the page. */
  message: string;
}

/** What a step is judged by. */
export type JudgedStep = Pick<DecisionRequest, 'instruction' | 'laterSteps' | 'snapshot' | 'outcomes'> & {
  pastIterations: readonly Pick<PastIteration, 'turn' | 'outcomes'>[];
};

type Observed = Extract<CommandEvidence, { kind: 'observed' }>;

/** What the last commands that acted have left, and where. */
interface Scene {
  outcomes: { outcome: PastCommand; evidence: Observed }[];
  snapshot: PageSnapshot;
  /** What messages have said since, that something was not done. */
  failures: string[];
  page: string;
  request: JudgedStep;
}

/**
 * Lists what the page and its answers say against the last commands of a step, where the policy gives it this consequence.
 * What this step or the next one expects is no problem: who expects “Name is taken” wants to see it.
 */
export function outcomeProblems(request: JudgedStep, consequence: 'fail' | 'warn'): OutcomeProblem[] {
  // What an earlier try has left stays true where this one has not acted: to try again is no success.
  const last = request.pastIterations.findLast(({ outcomes }) => outcomes.some(hasActed));
  if (last === undefined) return [];
  const { snapshot, outcomes: policy = DEFAULT_OUTCOME_POLICY } = request;
  const outcomes = last.outcomes.flatMap((outcome) =>
    hasActed(outcome) && outcome.evidence?.kind === 'observed' ? [{ outcome, evidence: outcome.evidence }] : [],
  );
  const scene: Scene = {
    outcomes,
    snapshot,
    failures: failureMessages(snapshot, outcomes.some(hasAnsweredForm), request.instruction, chosenIn(request)),
    page: describePage(request),
    request,
  };
  const expected = expectedTexts(request);
  return JUDGES.flatMap(({ kind, judge }) => {
    if (policy[kind] !== consequence) return [];
    const message = judge(scene);
    if (message === undefined || isExpected(expected, scene)) return [];
    return [{ kind, message }];
  });
}

/** The options of several words that the step has chosen. */
function chosenIn({ pastIterations }: JudgedStep): string[] {
  const given = pastIterations.flatMap(({ outcomes }) => outcomes.map(({ parameters: { option } }) => option ?? ''));
  return given.filter((option) => /\S\s+\S/.test(option));
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

/** The document is the answer to a form that was sent, and leads nowhere else: all that stands in it is news. */
function hasAnsweredForm({ evidence }: Scene['outcomes'][number]): boolean {
  const { navigations, urlAfter } = evidence;
  const isShown = (url: string): boolean => url.split('#')[0] === urlAfter.split('#')[0];
  return navigations.length > 0 && requestsIn(evidence).some(({ method, url }) => method !== 'GET' && isShown(url));
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
      ({ url, status = 0, failure = '', isPing }) =>
        isPing !== true &&
        isOfSite(url, evidence) &&
        (status >= 400 || (status === 0 && failure !== '' && !GIVEN_UP.test(failure))),
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

function signInPage({ outcomes, request, page }: Scene): string | undefined {
  const opened = outcomes.findLast(({ outcome }) => outcome.action === 'OPEN_PAGE')?.outcome.parameters.url;
  if (!isUnwantedSignIn(opened, request)) return undefined;
  return `${opened} was opened, and it led to a page that asks to sign in: ${page}.`;
}

function failureSaid({ failures, page, snapshot, outcomes, request }: Scene): string | undefined {
  const isSameDocument = outcomes.every(({ evidence }) => evidence.navigations.length === 0);
  const denied = () => deniedDeed(snapshot, (actionsOf(request.instruction) ?? []).map(textOf));
  const said = failures[0] ?? (isSameDocument ? denied() : undefined);
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

function firstText(snapshot: PageSnapshot): string | undefined {
  const texts = [...walkNodes(snapshot.nodes)].map(({ node }) => node.name ?? node.text ?? '');
  return texts.find((text) => text.trim() !== '');
}

/** What is expected of the page: by this step, and by those that follow up to the next one that acts. */
function expectedTexts({ instruction, laterSteps = [] }: JudgedStep): string[] {
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
