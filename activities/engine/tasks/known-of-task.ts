import { mapTexts } from '../../../contracts/json';
import { oneLine } from '../../../contracts/text';
import type { PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import type { Step } from '../../../contracts/sessions/step-input';
import type { AgentConfig } from '../../../contracts/tasks/agent-config';
import { wholePageText } from '../../../rules/page-text/page-text';
import type { StoredMessage, TurnKey } from '../../../store/models/messages';
import type { Store } from '../../../store/store';
import { jsonValuesIn } from '../models/replies/json-in-text';
import type { KnownOfTask } from './end-doubts';
import { OPENED_BY } from './own-reply';

/** What the store has of a task that its model means to end. Undefined where the tools run in the caller's process or browser. */
export async function knownOfTask(
  store: Store,
  { sessionId, stepIndex }: TurnKey,
  { task = {} }: Pick<Step, 'task'>,
  { executor, stayOpen, computerUse }: Pick<AgentConfig, 'executor' | 'stayOpen' | 'computerUse'>,
  snapshot: PageSnapshot | null,
): Promise<KnownOfTask | undefined> {
  if (executor !== 'playwright') return undefined;
  const { summary, messages } = await store.messages.conversation(sessionId);
  const results = messages.flatMap((message) => (message.kind === 'results' ? [message] : []));
  // What a task returns was read from pages by the engine itself.
  const isSeen = computerUse !== true && task.result === undefined && !results.some(hasPicture);
  const pageNow = snapshot === null ? '' : wholePageText(snapshot);
  const ofTask = messages.filter(({ stepIndex: of, turn }) => of === stepIndex && turn >= 0);
  const replies = ofTask.filter((message) => message.kind === 'reply');
  // The first calls of a long task are in its summary alone.
  const isSummed = summary?.covers.stepIndex === stepIndex;
  return {
    hasActed: isSummed || ofTask.some(hasSuccess),
    hasOnlyOpened: replies.length > 0 && replies.every(({ model }) => model === OPENED_BY),
    leftUndone: leftUndone(ofTask),
    used: isSeen && !isSummed ? usedIn(ofTask) : undefined,
    mayOnlyAnswer: stayOpen || (task.images ?? []).length > 0,
    shown: isSeen ? [summary?.text ?? '', ...results.flatMap(textsOf), pageNow].join('\n') : undefined,
  };
}

type Results = Extract<StoredMessage, { kind: 'results' }>;

function hasSuccess(message: StoredMessage): boolean {
  return message.kind === 'results' && message.results.some(({ end }) => end.status === 'success');
}

/** Names the last call of a task that was to do something and has failed, where no other has done anything since. */
function leftUndone(messages: readonly StoredMessage[]): string | undefined {
  const calls = messages.flatMap((message) =>
    message.kind === 'reply' ? message.calls.map((call) => ({ call, message })) : [],
  );
  const ends = messages.flatMap((message) => (message.kind === 'results' ? message.results : []));
  const last = calls.findLast(({ call, message }) => {
    const planned = message.planned?.find(({ callId }) => callId === call.callId);
    return planned === undefined || planned.run.kind === 'refused' || planned.effect !== 'pure';
  });
  const result = ends.find(({ end }) => end.callId === last?.call.callId);
  if (last === undefined || result?.end.status !== 'error') return undefined;
  return `The call of ${last.call.name} failed (${oneLine(result.text, 300)}), and nothing was done in its place.`;
}

/** What the calls of a task were given, and what came of them. Undefined where a place or a script says nothing of it. */
function usedIn(messages: readonly StoredMessage[]): string | undefined {
  const calls = messages.flatMap((message) => (message.kind === 'reply' ? message.calls : []));
  if (calls.some(({ name, args }) => name === 'javascript_tool' || args.includes('"coordinate"'))) return undefined;
  const results = messages.flatMap((message) => (message.kind === 'results' ? message.results : []));
  return [...calls.map(({ args }) => unescaped(args)), ...results.map(({ text }) => text)].join('\n');
}

/** Arguments with their texts as they are, without the escapes of JSON. */
function unescaped(args: string): string {
  const [given] = jsonValuesIn(args);
  const texts: string[] = [];
  if (given !== undefined) mapTexts(given.value, (text) => (texts.push(text), text));
  return [args, ...texts].join('\n');
}

function hasPicture({ results }: Results): boolean {
  return results.some(({ pictures }) => pictures > 0);
}

function textsOf({ results }: Results): string[] {
  return results.flatMap(({ text, pageAfter }) => [text, pageAfter?.text ?? '']);
}
