import { StreamEventType } from '../../contracts/events/stream-event';
import { callProblems } from './call-order';
import { investigationProblems } from './investigation-order';
import { isTerminal, type LogRecord } from '../../contracts/events/log';

const {
  WORKFLOW_STARTED,
  STEP_STARTED,
  STEP_COMPLETED,
  STEP_FAILED,
  COMMAND_STARTED,
  COMMAND_COMPLETED,
  COMMAND_FAILED,
} = StreamEventType;

/** Finds every violation of the order of S1.A30, S1.A35 and S3.A2 in a whole log. */
export function logOrderProblems(records: readonly LogRecord[]): string[] {
  const problems: string[] = [];
  const check = (isGood: boolean, problem: string): void => void (isGood || problems.push(problem));
  records.forEach((record, index) => check(record.seq === index + 1, `seq ${record.seq} stands at place ${index + 1}`));
  check(records[0]?.type === WORKFLOW_STARTED, `the first event is ${records[0]?.type}`);
  const ends = records.filter((record) => isTerminal(record.type));
  check(
    ends.length === 1 && records.at(-1) === ends[0],
    `terminal events: ${ends.map((end) => end.seq).join()} of ${records.length}`,
  );

  const stepsStarted = new Map<number, number>();
  const stepsEnded = new Map<number, number>();
  const commandsStarted = new Set<string>();
  const commandsEnded = new Set<string>();
  for (const { type, stepIndex, data, seq } of records) {
    if (type === STEP_STARTED) stepsStarted.set(stepIndex!, (stepsStarted.get(stepIndex!) ?? 0) + 1);
    else if (stepIndex !== undefined)
      check(stepsStarted.has(stepIndex), `${type} (${seq}) before STEP_STARTED of step ${stepIndex}`);
    if (type === STEP_COMPLETED || type === STEP_FAILED)
      stepsEnded.set(stepIndex!, (stepsEnded.get(stepIndex!) ?? 0) + 1);
    const commandId = data.command?.commandId;
    // A tool that drives no browser has no command: callProblems checks its call.
    if (commandId === undefined) continue;
    if (type === COMMAND_STARTED) commandsStarted.add(commandId);
    if (type === COMMAND_COMPLETED || type === COMMAND_FAILED) {
      check(commandsStarted.has(commandId), `${type} (${seq}) of a command that never started`);
      check(!commandsEnded.has(commandId), `${type} (${seq}) is the second end of its command`);
      commandsEnded.add(commandId);
    }
  }
  for (const [step, count] of stepsStarted) {
    check(count === 1, `step ${step} started ${count} times`);
    check(stepsEnded.get(step) === 1, `step ${step} ended ${stepsEnded.get(step) ?? 0} times`);
  }
  return [...problems, ...investigationProblems(records), ...callProblems(records)];
}
