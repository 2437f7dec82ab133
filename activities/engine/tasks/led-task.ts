import type { FunctionTool } from '../../../contracts/model-port/language-model';
import type { LedTask } from '../../../contracts/model-port/port';
import type { Reading } from '../../../contracts/models/reading';
import type { AgentConfig } from '../../../contracts/tasks/agent-config';
import { isBrowserTool } from '../../../contracts/tools/browser-tools';
import type { Store } from '../../../store/store';
import type { ModelTurnInput } from '../../signatures/task-activities';
import { earlierTurns } from '../models/earlier-turns';
import { goalText } from '../models/prompts/task';
import { MORE_TOOLS } from '../tools/more-tools';
import { OPENED_BY } from './own-reply';

/**
 * The task for a model that says one deed at a time. Undefined where more than deeds on the session's own page may be needed:
 * tools and words of the caller, a result, images, an earlier task, or turns that were led otherwise.
 */
export async function ledTask(
  store: Store,
  { sessionId, stepIndex, turn, step }: ModelTurnInput,
  { reading, agent }: { reading?: Reading | undefined; agent: AgentConfig },
  declared: readonly FunctionTool[],
): Promise<Omit<LedTask, 'nonce'> | undefined> {
  const { instruction, task = {} } = step;
  const { result, images = [], history = [], context } = task;
  if (agent.executor !== 'playwright' || agent.computerUse === true) return undefined;
  if (agent.systemPrompt !== undefined || result !== undefined || images.length + history.length > 0) return undefined;
  if (declared.some((tool) => tool !== MORE_TOOLS && !isBrowserTool(tool.name))) return undefined;
  const [{ summary, messages }, turns] = await Promise.all([
    store.messages.conversation(sessionId),
    earlierTurns(store, sessionId, stepIndex),
  ]);
  // What was said in an earlier task may be what this one means.
  if (summary !== null || messages.some((message) => message.stepIndex < stepIndex)) return undefined;
  const isOpened = messages.some((message) => message.kind === 'reply' && message.model === OPENED_BY);
  const taken = turns.filter((each) => !(isOpened && each.turn === 0));
  if ((task.url !== undefined && !isOpened) || taken.length !== turn - (isOpened ? 1 : 0)) return undefined;
  if (taken.some(({ raw }) => raw?.form !== 'deeds')) return undefined;
  const notes = messages.flatMap((message) => ('said' in message ? (message.said ?? []) : []));
  return { goal: goalText({ instruction, task: { context } }), notes, isRead: reading !== 'rules', turns: taken };
}
