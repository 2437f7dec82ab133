import type { Step } from '../../contracts/sessions/start-request';

/** The steps as one run of the workflow hands them to the next. */
export interface ContinuedSteps {
  finished: string[];
  remaining: Step[];
  completedDurations: number[];
}

/** The steps of a session: instructions of those that have ended, and those that are still to run, the current one first. */
export class StepList {
  private readonly finished: string[];
  private readonly remaining: Step[];
  private readonly durations: number[];
  /** Those that were added and that the store may not have yet, and the index of the first. */
  private unstored: { firstIndex: number; steps: Step[] };

  constructor({ finished, remaining, completedDurations }: ContinuedSteps) {
    this.finished = [...finished];
    this.remaining = [...remaining];
    this.durations = [...completedDurations];
    this.unstored = { firstIndex: this.total, steps: [] };
  }

  /** Of the current step; `total` when all have ended. */
  get index(): number {
    return this.finished.length;
  }

  get total(): number {
    return this.finished.length + this.remaining.length;
  }

  get remainingCount(): number {
    return this.remaining.length;
  }

  /** Of the current step, or of the last one when all have ended. */
  get lastIndex(): number {
    return Math.min(this.index, this.total - 1);
  }

  get current(): Step {
    return this.remaining[0]!;
  }

  /** The current step as this model gets it. */
  currentFor(model: string): Step {
    const { options, ...goal } = this.current;
    return { ...goal, options: { ...options, aiConfig: { ...options.aiConfig, model } } };
  }

  get instructions(): string[] {
    return [...this.finished, ...this.remaining.map(({ instruction }) => instruction)];
  }

  /** Active time of each completed step. */
  get completedDurations(): readonly number[] {
    return this.durations;
  }

  /** Whether a step from the current one on fits. */
  someRemaining(fits: (step: Step) => boolean): boolean {
    return this.remaining.some(fits);
  }

  completed(durationMs: number): void {
    this.durations.push(durationMs);
  }

  /** Goes to the next step. Only the instruction of the finished step is kept, up to the limit. */
  advance(instructionLimit?: number): void {
    this.finished.push(this.remaining.shift()!.instruction.slice(0, instructionLimit));
  }

  add(steps: readonly Step[]): void {
    this.remaining.push(...steps);
    this.unstored.steps.push(...steps);
  }

  /** All steps that the store may not have: two additions may be written in either order. */
  get toStore(): { firstIndex: number; steps: Step[] } {
    return { firstIndex: this.unstored.firstIndex, steps: [...this.unstored.steps] };
  }

  stored({ firstIndex, steps }: { firstIndex: number; steps: readonly Step[] }): void {
    const count = firstIndex + steps.length - this.unstored.firstIndex;
    if (count <= 0) return;
    this.unstored = { firstIndex: firstIndex + steps.length, steps: this.unstored.steps.slice(count) };
  }

  toContinued(): ContinuedSteps {
    return { finished: this.finished, remaining: this.remaining, completedDurations: this.durations };
  }
}
