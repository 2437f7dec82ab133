import type { AIResponse } from '../../contracts/models/ai-response';
import type { DecisionRequest } from '../../contracts/model-port/port';
import { click } from '../matching/element-commands';
import { describeItem } from '../matching/item-text';
import { ancestors, type Item, type Page } from '../matching/page-index';
import { isNew, questionOn, wayOut } from '../matching/read-answer';
import { proposing, type Proposed } from './propose';
import { abort, retry } from './replies';

/** A button that only closes what it is in. */
const CLOSES = /^(?:cancel|close|dismiss|[×✕✖])$/i;

/** The button that leaves what this step has opened with its last command; undefined where that has opened nothing of the kind. */
function exitOn({ pastIterations, mayAct }: DecisionRequest, page: Page): Item | undefined {
  const acts = pastIterations.flatMap(({ outcomes }) => outcomes).filter(({ action }) => action !== 'WAIT_FOR');
  if (!mayAct || acts.at(-1)?.status !== 'done') return undefined;
  const asking = questionOn(page);
  if (asking !== undefined && isNew(asking)) return wayOut(page, asking);
  const closing = page.items.filter(
    (item) => item.role === 'button' && !item.isHidden && isNew(item) && CLOSES.test(item.label.trim()),
  );
  // “Cancel” and “×” of one part.
  const isOfOne = closing.every((item) => newest(item) !== undefined && newest(item) === newest(closing[0]!));
  if (closing.length > 0)
    return closing.length === 1 || isOfOne
      ? (closing.find(({ label }) => /^cancel$/i.test(label)) ?? closing[0])
      : undefined;
  // It was new before a wait.
  const { role, label } = (pastIterations.at(-1)?.context?.['exit'] ?? {}) as { role?: string; label?: string };
  const known = page.items.filter((item) => item.role === role && item.label === label && !item.isHidden);
  return known.length === 1 ? known[0] : undefined;
}

/** The outermost part of those around it that have come with the last command. */
const newest = (item: Item): Item | undefined =>
  [item, ...ancestors(item)].findLast(({ node }) => node?.since === 'new');

/** What leaves that which this step has opened, for the time after a wait. */
export function exitNote(request: DecisionRequest, page: Page): { exit?: { role: string; label: string } } {
  const exit = exitOn(request, page);
  return exit === undefined ? {} : { exit: { role: exit.role, label: exit.label } };
}

/** Leaves what this step has opened and cannot go on in, so that the page is as it was found. */
export function leaveOpened(request: DecisionRequest, page: Page, message: string): AIResponse | undefined {
  const button = exitOn(request, page);
  if (button === undefined) return undefined;
  const reply = retry(request, {
    analysis: message,
    rationale: `Next: leave what was opened by ${describeItem(button)}, because the step cannot go on in it.`,
    expectedOutcome: 'The page is as before, and the step fails and says why.',
    commands: [click(button)],
    plan: [-1],
  });
  return { ...reply, context: { ...reply.context, leaves: message } };
}

export const isLeaving = ({ context }: AIResponse): boolean => typeof context?.['leaves'] === 'string';

/** Notes the steps that are read in place of the whole one, for the refusal after the way back. */
export function proposingAfter(reply: AIResponse, { steps, before }: Proposed): AIResponse {
  const whole = steps.map((step) => [...before, step].join(', then '));
  return { ...reply, context: { ...reply.context, proposed: whole } };
}

/** The refusal of a step that has left what it had opened. */
export function hasLeft(request: DecisionRequest): AIResponse | undefined {
  const { leaves, proposed } = request.pastIterations.at(-1)?.context ?? {};
  if (typeof leaves !== 'string') return undefined;
  const steps = Array.isArray(proposed) ? (proposed as string[]) : [];
  return proposing(abort(request, leaves), { steps, isWhole: true, before: [] });
}
