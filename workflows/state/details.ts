import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common';
import { SEARCH_ATTRIBUTES, type SearchAttributeName } from '../../contracts/sessions/search-attributes';
import { SessionStatus } from '../../contracts/sessions/session';
import { StepStatus } from '../../contracts/steps/step-result';
import type { StepList } from './step-list';

type WaitKind = 'start' | 'task' | 'browser' | 'profile' | 'credential' | 'page';
type QuestionKind = 'unknown-outcome' | 'secret' | 'budget' | 'approval';

/** What the Temporal UI shows beside the status: what the session waits for, and what a person is asked. */
export class ShownDetails {
  private readonly waits = new Map<WaitKind, string>();
  private readonly questions = new Map<QuestionKind, string[]>();
  private problem: string | undefined;

  /** What the session waits for now; undefined when it does not. */
  setWait(kind: WaitKind, text: string | undefined): void {
    if (text === undefined) this.waits.delete(kind);
    else this.waits.set(kind, text);
  }

  /** What a person is asked and how to answer; nothing when no answer is needed. */
  setQuestion(kind: QuestionKind, lines: string[] = []): void {
    if (lines.length === 0) this.questions.delete(kind);
    else this.questions.set(kind, lines);
  }

  /** The command that has failed last; undefined when those after it were done. */
  setProblem(text: string | undefined): void {
    this.problem = text;
  }

  /** Whom or what the session waits for. */
  waitsFor(status: SessionStatus): string | undefined {
    const [question] = this.questions.keys();
    const [wait] = this.waits.keys();
    return question ?? wait ?? (status === SessionStatus.PAUSED ? 'operator' : undefined);
  }

  show(status: SessionStatus, steps: StepList, stepStatus: StepStatus): void {
    const waiting = (['start', 'task', 'browser', 'profile', 'credential', 'page'] as const)
      .map((kind) => this.waits.get(kind))
      .find((text) => text !== undefined);
    const summary = `**${status}**${waiting === undefined ? '' : ` · ${waiting}`} · ${steps.completed.count} of ${steps.total} steps done`;
    const problem = this.problem === undefined ? [] : [`✗ ${this.problem}`];
    const questions = [...this.questions.values()].flat();
    setCurrentDetails([summary, ...questions, ...problem, stepMarks(steps, stepStatus)].join('\n\n'));
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

/** Change with each reply: they are written with others alone, so that they add no event to the history. */
const ACCOMPANYING: readonly SearchAttributeName[] = ['SurefootTokens', 'SurefootCost'];

/** Writes the search attributes that have changed, in one command. */
export function updateSearchAttributes(values: { [Name in SearchAttributeName]?: string | number | undefined }): void {
  const known = workflowInfo().typedSearchAttributes;
  const changesIn = (names: readonly SearchAttributeName[]) =>
    names.flatMap((name) => {
      const key = defineSearchAttributeKey(name, SEARCH_ATTRIBUTES[name]);
      const value = values[name];
      return known.get(key) === value ? [] : [{ key, value: value ?? null } as SearchAttributePair];
    });
  const names = Object.keys(SEARCH_ATTRIBUTES) as SearchAttributeName[];
  const changed = changesIn(names.filter((name) => !ACCOMPANYING.includes(name)));
  if (changed.length === 0) return;
  upsertSearchAttributes([...changed, ...changesIn(ACCOMPANYING.filter((name) => values[name] !== undefined))]);
}
