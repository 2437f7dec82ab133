import type { AIResponse } from '../../contracts/models/ai-response';
import type { DecisionRequest } from '../../contracts/model-port/port';
import { withProposals } from '../../contracts/models/reading';
import { clausesIn, parseInstruction } from '../language/parse-instruction';
import { selectorOf } from '../matching/item-text';
import { deedsNear, type Deed } from '../proposals/deeds';
import { indexPage, type Page } from '../matching/page-index';
import { answerSaid } from '../matching/read-answer';
import { withPieces } from './pieces';
import { firstOpenAction, notesOf } from './progress';

const MOST_CLAUSES = 12;
const LONGEST_CLAUSE = 400;
/** On a larger page the search for what may be meant would keep a worker from its other sessions. */
const MOST_ITEMS = 5000;

/** What only reads the page: a deed is no proposal for it. */
const LOOKS =
  /^(?:(?:and\s+)?(?:check|verify|make sure|ensure|assert|expect|confirm|see)\s+(?:that|if|whether|it|there|the|how)\b|(?:then\s+)?(?:the|there|only|exactly|all|both)\b.*\b(?:is|are|should|has|have|reads|shows|contains?)\b|count\b|how (?:many|much)\b|(?:which|what|who)\b|.*\b(?:remember|save|store|note|keep|read|record)\b.*\s(?:as|under|like|in(?:to)?)\s+(?:the name\s+)?["“]?[a-z]\w*["”]?\W*$)/i;
/** An answer to a question of the browser at the end of a clause. */
const ANSWER_BEHIND =
  /^(.+?)[,;.]?\s+(?:and\s+)?(?:answer\s+|say\s+)?(yes|ok|okay|sure|confirm(?: it)?|(?<=(?:answer|say)\s)(?:no|cancel))[.!]?$/i;

/** Steps in place of one that is refused: of the whole of it, or of what was not done of it. */
export interface Proposed {
  steps: readonly string[];
  isWhole: boolean;
  /** What was done before, as it is said. */
  before: readonly string[];
}
const NOTHING: Proposed = { steps: [], isWhole: false, before: [] };

/**
 * Steps that are read on this page in place of one that is not: what can be done here and is nearest to its words. A part
 * of the step that was done before is not said again. `decide` shows what a step would begin with.
 */
export function propose(request: DecisionRequest, decide: (request: DecisionRequest) => AIResponse): Proposed {
  const page = indexPage(request.snapshot);
  const { clauses, isWhole, before } = openClauses(request);
  if (clauses.length > MOST_CLAUSES || page.items.length > MOST_ITEMS) return NOTHING;
  const { first, rest } = soften(page, clauses, (step) => begins(request, decide, step) !== undefined);
  const steps = first
    .map(({ said, item }) => ({ step: [said, ...rest].join(', then '), item }))
    .filter(
      ({ step, item }) =>
        step !== request.instruction &&
        begins(request, decide, step)?.commands.some(({ parameters }) => parameters.selector === selectorOf(item)),
    )
    .map(({ step }) => step);
  return { steps, isWhole, before };
}

/** The step from the press on that a question of the browser came of, with a yes to it. */
export function proposeYes({ instruction, pastIterations }: DecisionRequest): Proposed {
  const parsed = parseInstruction(instruction);
  const last = pastIterations.at(-1);
  const at = last?.outcomes.findLastIndex(({ evidence }) =>
    evidence?.kind === 'observed'
      ? evidence.dialogs.some(({ type, isUnanswered }) => type === 'confirm' && isUnanswered === true)
      : false,
  );
  if (parsed.kind === 'unknown' || last === undefined || at === undefined || at === -1) return NOTHING;
  const actions = withPieces(parsed.actions, pastIterations);
  const pressed = actions[notesOf(last).plan[at] ?? -1]?.said;
  const clauses = clausesIn(instruction);
  const from = clauses.indexOf(pressed ?? '');
  if (pressed === undefined || from === -1) return NOTHING;
  const [deed = '', ...more] = answerApart(pressed);
  const rest = [...more.slice(1), ...clauses.slice(from + 1)].filter((clause) => answerSaid(clause) !== true);
  return {
    steps: [[deed, 'accept the dialog', ...rest].join(', then ')],
    isWhole: from === 0,
    before: clauses.slice(0, from),
  };
}

/** The clauses that are not done, none where what is done is not one of them. */
function openClauses({
  instruction,
  pastIterations,
}: DecisionRequest): Omit<Proposed, 'steps'> & { clauses: string[] } {
  const clauses = clausesIn(instruction);
  const parsed = parseInstruction(instruction);
  if (parsed.kind === 'unknown') return { clauses, isWhole: true, before: [] };
  const actions = withPieces(parsed.actions, pastIterations);
  const next = firstOpenAction(actions, pastIterations);
  const from = next === 0 ? 0 : clauses.indexOf(actions[next]?.said ?? '');
  return {
    clauses: from === -1 ? [] : clauses.slice(from),
    isWhole: from === 0,
    before: clauses.slice(0, Math.max(from, 0)),
  };
}

/** The first clause that can not be read, as deeds of this page, and what is to follow; what only says why is left out. */
function soften(
  page: Page,
  clauses: readonly string[],
  isRead: (step: string) => boolean,
): { first: Deed[]; rest: string[] } {
  let first: Deed[] = [];
  const before: string[] = [];
  const rest: string[] = [];
  let about = '';
  for (const clause of clauses.flatMap(answerApart)) {
    const answer = answerSaid(clause);
    if (answer !== undefined) {
      rest.push(answer ? 'accept the dialog' : 'dismiss the dialog');
      continue;
    }
    const parsed = parseInstruction(clause);
    const isPlain = parsed.kind === 'actions' && parsed.actions.every(({ intent }) => intent.kind !== 'words');
    if (first.length > 0 && isPlain) {
      rest.push(clause);
      continue;
    }
    if (first.length === 0 && rest.length === 0 && isPlain && isRead(clause)) {
      before.push(clause);
      continue;
    }
    const deeds = clause.length > LONGEST_CLAUSE || LOOKS.test(clause) ? [] : deedsNear(page, clause, about);
    if (deeds.length === 0) about = `${about} ${clause}`;
    else if (first.length === 0) first = deeds;
    else rest.push(deeds[0]!.said);
  }
  return { first: first.map((deed) => ({ ...deed, said: [...before, deed.said].join(', then ') })), rest };
}

/** “delete it, yes”: the answer is a clause of its own. */
function answerApart(clause: string): string[] {
  const [, deed, answer] = ANSWER_BEHIND.exec(clause) ?? [];
  return deed === undefined || answer === undefined ? [clause] : [deed, `answer ${answer}`];
}

/** What a step would begin with; undefined where it is not read on this page. */
function begins(
  request: DecisionRequest,
  decide: (request: DecisionRequest) => AIResponse,
  instruction: string,
): AIResponse | undefined {
  const reply = decide({ ...request, instruction, pastIterations: [], iteration: 0, mayInvestigate: false });
  const isDeed = reply.commands.some(({ action }) => action !== 'WAIT_FOR');
  return reply.decision.action !== 'ABORT' && isDeed ? reply : undefined;
}

/** A refusal that says which steps are read in place of what it refuses. */
export function proposing(reply: AIResponse, { steps, isWhole }: Proposed): AIResponse {
  if (steps.length === 0) return reply;
  const message = `${reply.decision.message} Did you mean: ${steps.join(', or ')}?`;
  const said = { ...reply, decision: { ...reply.decision, message } };
  return isWhole ? withProposals(said, steps) : said;
}
