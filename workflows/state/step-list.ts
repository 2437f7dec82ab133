import { shownInstruction, toCarriedStep } from '../../contracts/sessions/carried-steps';
import { MOST_CARRIED } from '../../contracts/sessions/size-limits';
import { DEFAULT_TIMEOUT_CONFIG } from '../../contracts/sessions/timeouts';
import type { Step } from '../../contracts/sessions/step-input';

/** Instructions of finished steps that are shown; a conversation may have any number of them. */
const MAX_SHOWN = 100;

/** The steps as one run of the workflow hands them to the next: what is long is in the store. */
export interface ContinuedSteps {
  finishedCount: number;
  /** Beginnings of the newest finished instructions. */
  finished: string[];
  /** Of the completed steps. */
  completed: { count: number; durationMs: number };
  remaining: Step[];
  /** Steps behind those, in the stored plan. */
  further?: number;
}

/** With fewer steps at hand, the next ones are read from the store. */
const FEWEST_AT_HAND = 20;

/** The steps of a session: beginnings of those that have ended, and the next of those that are still to run, the current one first. */
export class StepList {
  /** How long a call of a model may take where the session leaves it at its default. */
  modelTimeoutMs: number | undefined;
  private readonly finished: string[];
  private finishedCount: number;
  private readonly completedSum: { count: number; durationMs: number };
  private readonly remaining: Step[];
  private further: number;
  /** The current step, once its text was read from the store. */
  private loaded: Step | undefined;
  /** Ends when the last addition is stored: a later one is stored after it, at its place. */
  private storing: Promise<unknown> = Promise.resolve();

  constructor({ finishedCount, finished, completed, remaining, further = 0 }: ContinuedSteps) {
    this.finishedCount = finishedCount;
    this.finished = [...finished];
    this.completedSum = { ...completed };
    this.remaining = [...remaining];
    this.further = further;
  }

  static of(steps: readonly Step[], further = 0): StepList {
    return new StepList({
      further,
      finishedCount: 0,
      finished: [],
      completed: { count: 0, durationMs: 0 },
      remaining: [...steps],
    });
  }

  /** Of the current step; `total` when all have ended. */
  get index(): number {
    return this.finishedCount;
  }

  get total(): number {
    return this.finishedCount + this.remainingCount;
  }

  get remainingCount(): number {
    return this.remaining.length + this.further;
  }

  /** Reads the next steps where few are at hand. */
  async refill(read: (firstIndex: number, count: number) => Promise<Step[]>): Promise<void> {
    if (this.further === 0 || this.remaining.length >= FEWEST_AT_HAND) return;
    await this.storing;
    const steps = await read(this.finishedCount + this.remaining.length, Math.min(this.further, MOST_CARRIED));
    this.remaining.push(...steps);
    this.further -= steps.length;
  }

  /** Of the current step, or of the last one when all have ended. */
  get lastIndex(): number {
    return Math.min(this.index, this.total - 1);
  }

  get current(): Step {
    return this.loaded ?? this.remaining[0]!;
  }

  /** The current step with its whole text. */
  load(step: Step): void {
    this.loaded = step;
  }

  /** The current step as this model gets it. A long task goes by reference, or each of its turns would carry its text. */
  currentFor(model: string): Step {
    return this.asModelGets(this.current.task === undefined ? this.current : this.remaining[0]!, model);
  }

  private asModelGets({ options, ...goal }: Step, model: string): Step {
    const timeoutMs = this.callTimeoutMs(options);
    return { ...goal, options: { ...options, aiConfig: { ...options.aiConfig, model, timeoutMs } } };
  }

  /** The steps behind the current one, to the first that does not fit, as this model gets them. */
  ahead(model: string, atMost: number, fits: (step: Step) => boolean): Step[] {
    const behind = this.remaining.slice(1, 1 + atMost);
    const end = behind.findIndex((step) => !fits(step));
    return (end < 0 ? behind : behind.slice(0, end)).map((step) => this.asModelGets(step, model));
  }

  /** The default limit of a call gives way to that of the workers, within the time of the step. */
  private callTimeoutMs({ aiConfig, timeoutMs }: Step['options']): number {
    const isDefault = aiConfig.timeoutMs === DEFAULT_TIMEOUT_CONFIG.requestTimeoutMs;
    return isDefault ? Math.min(this.modelTimeoutMs ?? aiConfig.timeoutMs, timeoutMs) : aiConfig.timeoutMs;
  }

  /** The beginnings of the instructions at hand, without the oldest of those that have ended; with the index of the first. */
  get shown(): { firstIndex: number; instructions: string[] } {
    const remaining = this.remaining.map(({ instruction }) => shownInstruction(instruction));
    const firstIndex = this.finishedCount - this.finished.length;
    return { firstIndex, instructions: [...this.finished, ...remaining] };
  }

  /** How many steps have completed, and their active time. */
  get completed(): { readonly count: number; readonly durationMs: number } {
    return this.completedSum;
  }

  /** Whether a step at hand, from the current one on, fits. */
  someRemaining(fits: (step: Step) => boolean): boolean {
    return this.remaining.some(fits);
  }

  complete(durationMs: number): void {
    this.completedSum.count += 1;
    this.completedSum.durationMs += durationMs;
  }

  /** Goes to the next step. */
  advance(): void {
    this.finished.push(shownInstruction(this.remaining.shift()!.instruction));
    this.finished.splice(0, this.finished.length - MAX_SHOWN);
    this.finishedCount += 1;
    this.loaded = undefined;
  }

  /** Adds steps and stores them, after those that were added before. From then on the long ones are references. */
  async add(steps: readonly Step[], store: (firstIndex: number) => Promise<void>): Promise<void> {
    const firstIndex = this.total;
    if (this.further > 0) this.further += steps.length;
    else this.remaining.push(...steps);
    const stored = this.storing.then(() => store(firstIndex));
    this.storing = stored.catch(() => undefined);
    await stored;
    for (const step of steps) {
      const at = this.remaining.indexOf(step);
      // The current step may be running.
      if (at > 0) this.remaining[at] = toCarriedStep(step, 'plan');
    }
  }

  toContinued(): ContinuedSteps {
    const { finishedCount, finished, completedSum: completed, further } = this;
    const remaining = this.remaining.map((step) => toCarriedStep(step, 'plan'));
    return { finishedCount, finished, completed, remaining, ...(further === 0 ? {} : { further }) };
  }
}
