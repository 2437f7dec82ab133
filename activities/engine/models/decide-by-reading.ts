import { EFFECT_CLASS, type AIGeneratedCommand, type BrowserAction } from '../../../contracts/commands/commands';
import { DecisionAction, type AIResponse } from '../../../contracts/models/ai-response';
import { asUnread, isUnread, readingIn, withReading, type ReadingTurn } from '../../../contracts/models/reading';
import type {
  CallOptions,
  DecisionRequest,
  DecisionResult,
  Model,
  RefusedReading,
  StepReading,
} from '../../../contracts/model-port/port';
import { decideByRules } from '../../../rules/planning/decide';
import { indexPage } from '../../../rules/matching/page-index';
import { readingFaults } from '../../../rules/matching/reading-faults';
import { NO_USAGE } from './calls/language-call';

interface About {
  request: DecisionRequest;
  history: {
    replies: readonly { turn: number; reply: Pick<AIResponse, 'context'> }[];
    journal: readonly { action: BrowserAction }[];
  };
}

/**
 * Decides by a step that a model has said in the words of `rules`: `wanted` asks it, once more where the reading does not
 * fit, `followed` goes on with what it has said. As of a person's step every word has to fit the page. The reply is unread
 * where the model has said none, or one that does not fit, and where the step has been begun otherwise.
 */
export async function decideByReading(
  turn: ReadingTurn,
  model: () => Promise<Pick<Model, 'read'>>,
  { request, history }: About,
  options: CallOptions,
): Promise<DecisionResult> {
  if (turn === 'followed') {
    const read = history.replies.findLast(({ reply }) => readingIn(reply.context) !== undefined);
    const step = readingIn(read?.reply.context);
    if (read === undefined || step === undefined) return ofRules(unread('Nobody has read the step.'));
    const since = request.pastIterations.filter(({ turn: at = 0 }) => at >= read.turn);
    const reply = decideByRules({ ...withStep(request, step), pastIterations: since });
    const hasOnlyWaited = since.every(({ commands }) => commands.every(({ action }) => action === 'WAIT_FOR'));
    const why = hasOnlyWaited && reply.context?.['waiting'] === undefined ? misfit(request, step, reply) : undefined;
    return ofRules(why === undefined ? reply : unread(notFitting(step, why)));
  }
  if (history.journal.some(({ action }) => EFFECT_CLASS[action] !== 'pure'))
    return ofRules(unread('A part of the step was done before.'));
  const asked = await model();
  const said = await asked.read?.(request, options);
  const first = judged(request, said);
  if (first.refused === undefined) return first.result;
  await options.listener.discarded();
  // The page is in the vendor's cache by now, and a request for the whole reply is many times as long.
  const again = judged(request, await asked.read?.(request, options, first.refused));
  const isBetter = again.refused === undefined || (again.isAwaited === true && first.isAwaited !== true);
  return isBetter ? again.result : first.result;
}

/** What follows from a reading; `refused` where another one may fit the step and the page better. */
function judged(
  request: DecisionRequest,
  said: StepReading | undefined,
): { result: DecisionResult; refused?: RefusedReading; isAwaited?: true } {
  if (said?.step === undefined)
    return { result: { ...ofRules(unread('The model could not say the step in plain words.')), ...said } };
  const { step, ...billed } = said;
  const refused = (why: string, reply = unread(notFitting(step, why))) => ({
    result: { ...billed, reply },
    refused: { step, why },
  });
  const lost = namesLost(request.instruction, step);
  if (lost.length > 0) return refused(`leaves out: ${lost.join(', ')}`);
  const reply = decideByRules({ ...withStep(request, step), pastIterations: [] });
  // The model has seen the page, and may have named what is not on it. What the step itself names is waited for.
  if (reply.context?.['waiting'] !== undefined) {
    const isNamed = looksAdded(request, reply.commands).length === 0;
    const why = 'is not on this page';
    return isNamed ? { ...refused(why, withReading(reply, step)), isAwaited: true } : refused(why);
  }
  const why = misfit(request, step, reply);
  if (why !== undefined) return refused(why);
  if (isUnread(reply.context)) return refused('does not fit this page', reply);
  return { result: { ...billed, reply: withReading(reply, step) } };
}

const notFitting = (step: string, why: string): string => `The model read the step as “${step}”, which ${why}.`;

/** What the deeds of a reading have that the step has not, or the other way about. */
function misfit(request: DecisionRequest, step: string, { commands }: AIResponse): string | undefined {
  const added = looksAdded(request, commands);
  const faults = readingFaults(indexPage(request.snapshot), namedValues(request), step, commands);
  const adds = [...added, ...faults.added];
  if (adds.length > 0) return `adds: ${adds.join(', ')}`;
  return faults.left.length > 0 ? `leaves out: ${faults.left.join(', ')}` : undefined;
}

function withStep(request: DecisionRequest, instruction: string): DecisionRequest {
  return { ...request, instruction, nextStep: undefined, mayInvestigate: undefined };
}

function ofRules(reply: AIResponse): DecisionResult {
  return { reply, usage: NO_USAGE, model: 'rules' };
}

function unread(message: string): AIResponse {
  const reasoning = { analysis: message, rationale: '', expectedOutcome: '', confidence: 1 };
  return asUnread({ decision: { action: DecisionAction.ABORT, message }, reasoning, commands: [] });
}

/** Variables, quoted texts, numbers, and words with a capital that begin no sentence. */
const NAMES = /\$\{[^}]+\}|[“"]([^”"]+)[”"]|\d[\d.,:/-]*|(?<![.!?:]\s*|^\s*)\p{Lu}[\p{L}\p{N}]*/gu;

/** What the step names, and the reading does not: it would mean another thing. */
function namesLost(instruction: string, step: string): string[] {
  const names = [...instruction.matchAll(NAMES)].map(([whole, quoted]) => quoted ?? whole.replace(/[.,:]$/, ''));
  const said = ` ${step} `.toLowerCase();
  return [...new Set(names)].filter((name) => name !== 'I' && !isWhole(said, name.toLowerCase()));
}

/** Whether a text has the words as they are, and not as a part of others: “on” is not in “second”. */
function isWhole(text: string, words: string): boolean {
  const at = text.indexOf(words);
  if (at === -1) return false;
  const isPart = (one = '', other = ''): boolean => /[\p{L}\p{N}]{2}/u.test(one + other);
  const end = at + words.length;
  return (!isPart(text[at - 1], words[0]) && !isPart(words.at(-1), text[end])) || isWhole(text.slice(at + 1), words);
}

/** Commands that only look: the page as it is may pass for the deed that the step asked for. */
const LOOKS: ReadonlySet<BrowserAction> = new Set(['EXPECT', 'WAIT_FOR', 'SAVE_VARIABLE']);

/** The step, and the values of the variables that it names. */
function namedValues({ instruction, variableValues = {} }: DecisionRequest): string[] {
  const values = Object.entries(variableValues).filter(([name]) => instruction.includes(`\${${name}}`));
  return [instruction, ...values.map(([, value]) => value)];
}

/** How a step says that something is so. */
const CLAIM = /\b(?:is|are|be|been|stays?|remains?)\b|n't\b/i;

/** How a step says that something is to be seen: “Check Coffee” is to tick it. */
const LOOKING =
  /\b(?:check|make sure|confirm)\s+(?:that|for|if|whether|the page)\b|\b(?:expect|see|verify|assert|ensure|shows?|shown|display(?:s|ed)?|visible|appears?|contains?|there|says?|reads?|has|have)\b/i;

/** What the commands of a reading look for, save or wait for, and the step does not name. */
function looksAdded(request: DecisionRequest, commands: readonly AIGeneratedCommand[]): string[] {
  const words = namedValues(request).join('\n').toLowerCase();
  return commands
    .filter(({ action }) => LOOKS.has(action))
    .flatMap(({ action, parameters: { text, url, variableName, seconds } }) => {
      const sought = text ?? url ?? variableName ?? seconds;
      const isAsked = action !== 'EXPECT' || CLAIM.test(request.instruction) || LOOKING.test(request.instruction);
      if (!isAsked) return ['a look, where a deed is asked for'];
      // It looks at the state of a control.
      if (sought === undefined) return CLAIM.test(request.instruction) ? [] : ['a look, where a deed is asked for'];
      return words.includes(String(sought).toLowerCase()) ? [] : [String(sought)];
    });
}
