import type { CandidateFacts, PhaseJudgement } from '../../contracts/steps/investigation';
import type { AssessmentRequest } from '../../contracts/model-port/port';
import { describePage } from './replies';
import { parseInstruction } from '../language/parse-instruction';
import type { Description } from '../language/description';
import { targetsOf, type Action } from '../language/intent';
import { normal } from '../matching/name-match';
import { indexPage, nearestNamed, type Item, type Page } from '../matching/page-index';
import { firstOpenAction } from './progress';
import { resolve } from '../matching/resolve';
import { selectorFor } from '../matching/resolve-with-investigation';
import { listNames, truncate } from '../matching/item-text';

/** Judges one phase of an investigation: a pure function of the snapshot and the findings. */
export function assessByRules(request: AssessmentRequest): PhaseJudgement {
  const { phase, snapshot, wanted } = request;
  const open = openActions(request);
  const page = indexPage(snapshot);
  const found = open.flatMap((action) => foundFor(action, page));
  const focus = [
    ...new Set([...open.flatMap(textsOf), ...(open.length === 0 && wanted !== undefined ? [wanted] : [])]),
  ];
  const missing = open.length - new Set(found.map(({ action }) => action)).size;
  const summary = `${describePage(request)} has ${found.length === 0 ? 'nothing' : listNames(found.map(({ item }) => item))} that match the step${missing === 0 ? '' : `; ${missing} of ${open.length} targets are not there`}.`;
  if (phase === 'initial_assessment')
    return { summary, focus: focus.slice(0, 5), elements: [], confidence: missing === 0 ? 0.8 : 0.4 };
  const elements = found.map(({ action, item, alternatives }) => {
    const selector = `ref=${nearestNamed(item)?.node?.ref ?? ''}`;
    const confidence =
      phase === 'focused_exploration'
        ? alternatives.length === 1
          ? 0.8
          : 0.5
        : confidenceIn(request, action, item, alternatives);
    return { selector, elementType: item.role, confidence };
  });
  const best = Math.max(0.2, ...elements.map(({ confidence }) => confidence));
  const insight = phase === 'selector_determination' ? summary : undefined;
  return { summary, focus: focus.slice(0, 5), elements, confidence: best, ...(insight && { insight }) };
}

const MOST_ACTIONS = 6;

/** The actions of the step that are not done and have a target. */
function openActions({ instruction, pastIterations }: AssessmentRequest): Action[] {
  const parsed = parseInstruction(instruction);
  if (parsed.kind === 'unknown') return [];
  const left = parsed.actions.slice(firstOpenAction(parsed.actions, pastIterations));
  return left.filter(({ intent }) => targetsOf(intent).length > 0).slice(0, MOST_ACTIONS);
}

interface FoundItem {
  action: Action;
  item: Item;
  /** All equal matches, including this one. */
  alternatives: Item[];
}

function foundFor(action: Action, page: Page): FoundItem[] {
  const resolution = resolve(action, page);
  if (resolution.kind === 'commands' && resolution.target)
    return [{ action, item: resolution.target, alternatives: [resolution.target] }];
  if (resolution.kind !== 'several') return [];
  return resolution.items.map((item) => ({ action, item, alternatives: resolution.items }));
}

/** The names of an action's targets, without the words that say what kind of element they are. */
function textsOf({ intent }: Action): string[] {
  return targetsOf(intent).flatMap(({ readings }: Description) => {
    const named = readings.filter(({ name, isGuess }) => name !== undefined && name !== '' && isGuess !== true);
    return (named.find(({ role }) => role !== undefined) ?? named[0])?.name ?? [];
  });
}

/** Confidence in an item: high for a single match; among several, for the one whose surroundings contain most words of the step. */
function confidenceIn(request: AssessmentRequest, action: Action, item: Item, alternatives: Item[]): number {
  const facts = factsOf(request, item);
  if (alternatives.length === 1) return facts?.matches === 1 ? 0.95 : 0.6;
  const words = wordsBeside(request.instruction, action);
  const scores = alternatives.map((each) => score(words, factsOf(request, each)));
  const best = Math.max(...scores);
  const isBest = scores[alternatives.indexOf(item)] === best;
  const isAlone = scores.filter((each) => each === best).length === 1;
  return best > 0 && isBest && isAlone ? 0.9 : 0.2;
}

function factsOf({ findings, snapshot }: AssessmentRequest, item: Item): CandidateFacts | undefined {
  const selector = selectorFor(snapshot, item);
  return findings.flatMap(({ candidates = [] }) => candidates).findLast((each) => each.selector === selector);
}

function wordsBeside(instruction: string, { intent }: Action): Set<string> {
  const own = new Set(targetsOf(intent).flatMap(({ said }) => wordsOf(said)));
  return new Set(wordsOf(instruction).filter((word) => !own.has(word)));
}

function score(words: ReadonlySet<string>, facts: CandidateFacts | undefined): number {
  const said = new Set(wordsOf(`${facts?.around ?? ''} ${facts?.markup ?? ''}`));
  return [...words].filter((word) => said.has(word)).length;
}

function wordsOf(text: string): string[] {
  return normal(truncate(text, 2000)).match(/[\p{L}\p{N}]{2,}/gu) ?? [];
}
