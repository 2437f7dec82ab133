import { createHash } from 'node:crypto';
import { StreamEventType } from '../../../contracts/events/stream-event';
import {
  MEMORY_LIMITS,
  PATTERN_OCCURRENCES,
  memoryKey,
  memoryText,
  type MemoryEntry,
  type MemoryKind,
} from '../../../contracts/steps/working-memory';
import type { NewRecord } from '../../../contracts/events/log';
import type { Store } from '../../../store/store';
import type { VariableRow } from '../../../store/sessions/variables';
import type { Recurrence } from '../../../store/models/working-memory';
import type { ActivityCall } from '../../activity/activity';
import type { LearntFact } from '../../signatures/engine-activities';

interface LearningPlace {
  sessionId: string;
  stepIndex: number;
  turn: number;
}

/** The most frequent patterns that are read at the beginning of a step. */
const MOST_PATTERNS = 10;

/** Learns from the commands of earlier steps: variables that were saved, and commands that always succeed or fail. */
export async function noteExperience(
  store: Store,
  place: LearningPlace,
  assembling: Promise<{ variables: readonly VariableRow[] }>,
  { runId }: ActivityCall,
): Promise<void> {
  const { sessionId, stepIndex, turn } = place;
  if (stepIndex === 0) return;
  const [recurrences, { variables }] = await Promise.all([
    store.workingMemory.recurrences(sessionId, MOST_PATTERNS),
    assembling,
  ]);
  const entries: MemoryEntry[] = [
    ...variables
      .filter(({ source }) => source === 'extracted')
      .map(({ name, stepIndex: savedIn }) => variableEntry(name, savedIn ?? 0)),
    ...recurrences.map(toPattern),
  ];
  const fresh = await store.workingMemory.newOf(sessionId, entries);
  if (fresh.length === 0) return;
  const learnt = await toLearntFacts(store, sessionId, fresh, 'commands');
  const records = learnt.map((workingMemory): NewRecord => ({
    eventId: `${sessionId}.${stepIndex}/learnt/${workingMemory.updateType}/${digestOf(fresh, workingMemory.updateType)}`,
    owner: 'task-loop',
    type: StreamEventType.WORKING_MEMORY_UPDATED,
    at: new Date().toISOString(),
    stepIndex,
    turn,
    data: { workingMemory },
  }));
  // Published before it is stored: an attempt that dies in between publishes the same ids again, which changes nothing.
  await store.log.append(sessionId, records, { guard: { runId } });
  await store.workingMemory.remember(sessionId, fresh);
}

/** One fact for each kind among these entries, with the number of entries known after them. */
export async function toLearntFacts(
  store: Store,
  sessionId: string,
  entries: readonly MemoryEntry[],
  source: string,
): Promise<LearntFact[]> {
  const [{ elementsKnown, patternsLearned }, fresh] = await Promise.all([
    store.workingMemory.recall(sessionId, '', 1),
    store.workingMemory.newOf(sessionId, entries),
  ]);
  const isNew = new Set(fresh.map(idOf));
  const added = (kind: MemoryKind): number =>
    entries.filter((entry) => entry.kind === kind && isNew.has(idOf(entry))).length;
  const kinds = [...new Set(entries.map(({ kind }) => kind))];
  return kinds.map((updateType) => ({
    updateType,
    elementsKnown: Math.min(MEMORY_LIMITS.element_discovery, elementsKnown + added('element_discovery')),
    patternsLearned: Math.min(MEMORY_LIMITS.pattern_learning, patternsLearned + added('pattern_learning')),
    confidence: Math.max(...entries.filter(({ kind }) => kind === updateType).map(({ confidence }) => confidence)),
    source,
  }));
}

function variableEntry(name: string, stepIndex: number): MemoryEntry {
  return { kind: 'variable_extraction', name, stepIndex, confidence: 1 };
}

function toPattern({ action, role, name, page, status, occurrences }: Recurrence): MemoryEntry {
  const how = status === 'done' ? 'works' : 'fails';
  return {
    kind: 'pattern_learning',
    text: memoryText(`${action} on the ${role} “${name}” ${how} on ${page}`),
    occurrences,
    // Grows with every occurrence and stays below 1.
    confidence: Math.round((1 - 1 / (occurrences - PATTERN_OCCURRENCES + 4)) * 100) / 100,
  };
}

function idOf(entry: MemoryEntry): string {
  return `${entry.kind} ${memoryKey(entry)}`;
}

function digestOf(entries: readonly MemoryEntry[], kind: MemoryKind): string {
  const text = JSON.stringify(entries.filter((entry) => entry.kind === kind));
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
