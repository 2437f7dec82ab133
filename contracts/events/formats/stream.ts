import { isContractAction } from '../../commands/commands';
import { type StreamEvent } from '../stream-event';
import { isStreamType, type LogRecord } from '../log';
import { SYSTEM_VERSION_TEXT } from '../../modules/version';
import type { StepResult } from '../../steps/step-result';
import type * as s1 from './s1';

/** Which actions a reader of the stream knows: all of the engine's, or only the five of S1.16 (`actions=s1`). */
export type KnownActions = 'all' | 's1';

/**
 * The `stream` format (S1.30): one event per record that S1 has a name for, undefined for the others, so the event's
 * `seq` resumes exactly and a prefix of the log gives a prefix of the stream.
 */
export function toStreamEvent(record: LogRecord, known: KnownActions = 'all'): StreamEvent | undefined {
  const { type } = record;
  if (!isStreamType(type)) return undefined;
  return {
    id: record.eventId,
    type,
    timestamp: new Date(record.at),
    sessionId: record.sessionId,
    ...(record.stepIndex === undefined ? {} : { stepIndex: record.stepIndex }),
    data: known === 's1' ? withContractActions(dataOf(record)) : dataOf(record),
    metadata: {
      seq: record.seq,
      owner: record.owner,
      version: SYSTEM_VERSION_TEXT,
      ...(record.turn === undefined ? {} : { turn: record.turn }),
    },
  };
}

/** The data of a record; the end of a task also has its answer, in `details.answer`. */
function dataOf({ data, facts }: LogRecord): StreamEvent['data'] {
  if (facts?.kind !== 'task-end' || facts.answer === '') return data;
  return { ...data, details: { ...data.details, answer: facts.answer } };
}

/** A further action is not in S1's closed set: its event carries it as text, and the result of a step omits it. */
function withContractActions(data: StreamEvent['data']): s1.StreamEventData {
  const { command, step, ...rest } = data;
  return {
    ...rest,
    ...(step === undefined ? {} : { step: withContractResult(step) }),
    ...(command === undefined ? {} : withContractCommand(command)),
  };
}

function withContractCommand(
  command: NonNullable<StreamEvent['data']['command']>,
): Pick<s1.StreamEventData, 'command' | 'message' | 'details'> {
  const { action } = command;
  if (isContractAction(action)) return { command: { ...command, action } };
  return { message: `${action} ${command.status}`, details: { ...command } };
}

function withContractResult({
  result,
  ...step
}: NonNullable<StreamEvent['data']['step']>): NonNullable<s1.StreamEventData['step']> {
  return result === undefined ? step : { ...step, result: toContractResult(result) };
}

/** The result of a step with the commands of S1.16 only, and the answers to them. */
export function toContractResult(result: StepResult): s1.StepResult {
  const kept = result.executedCommands.flatMap((command, index) => {
    const { action } = command;
    return isContractAction(action) ? [{ command: { ...command, action }, index }] : [];
  });
  return {
    ...result,
    executedCommands: kept.map(({ command }) => command),
    commandResults: kept.flatMap(({ index }) => result.commandResults[index] ?? []),
  };
}
