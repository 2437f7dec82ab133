import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { defineSearchAttributeKey } from '@temporalio/common';
import type { SessionStatus } from '../../contracts/sessions/session';
import { StepStatus } from '../../contracts/steps/step-result';
import type { StepList } from './step-list';

const STATUS_KEY = defineSearchAttributeKey('SurefootStatus', 'KEYWORD');
const STEP_KEY = defineSearchAttributeKey('SurefootStep', 'INT');
const MODEL_KEY = defineSearchAttributeKey('SurefootModel', 'KEYWORD');

/** What the Temporal UI shows beside the status: what the session waits for, and what a person is asked. */
export class ShownDetails {
  private readonly waits = new Map<'task' | 'browser', string>();
  private readonly questions = new Map<'unknown-outcome' | 'budget' | 'approval', string[]>();

  /** What the session waits for now; undefined when it does not. */
  setWait(kind: 'task' | 'browser', text: string | undefined): void {
    if (text === undefined) this.waits.delete(kind);
    else this.waits.set(kind, text);
  }

  /** What a person is asked and how to answer; nothing when no answer is needed. */
  setQuestion(kind: 'unknown-outcome' | 'budget' | 'approval', lines: string[] = []): void {
    this.questions.set(kind, lines);
  }

  show(status: SessionStatus, steps: StepList, stepStatus: StepStatus): void {
    const waiting = this.waits.get('task') ?? this.waits.get('browser');
    const summary = `**${status}**${waiting === undefined ? '' : ` · ${waiting}`} · ${steps.completed.count} of ${steps.total} steps done`;
    setCurrentDetails([summary, ...[...this.questions.values()].flat(), stepMarks(steps, stepStatus)].join('\n\n'));
  }
}

function stepMarks({ index: current, shown: { firstIndex, instructions } }: StepList, stepStatus: StepStatus): string {
  const markOf = (index: number): string => {
    if (index !== current) return index < current ? '✓' : '·';
    return stepStatus === StepStatus.FAILED ? '✗' : '▶';
  };
  const lineOf = (text: string, index: number): string =>
    `${index + 1}. ${markOf(index)} ${text.replaceAll('\n', ' ')}`;
  return instructions.map((text, at) => lineOf(text, firstIndex + at)).join('\n');
}

/** Writes the search attributes where they have changed. */
export function updateSearchAttributes(status: SessionStatus, steps: StepList, model: string): void {
  const known = workflowInfo().typedSearchAttributes;
  const step = Math.min(steps.index + 1, steps.total);
  if (known.get(STATUS_KEY) === status && known.get(STEP_KEY) === step) return;
  upsertSearchAttributes([
    { key: STATUS_KEY, value: status },
    { key: STEP_KEY, value: step },
    { key: MODEL_KEY, value: model },
  ]);
}
