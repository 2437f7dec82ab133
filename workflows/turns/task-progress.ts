import type { CallEnd, PlannedCall } from '../../contracts/tools/planned-call';
import { LoopGuard, type Trail } from './loop-guard';

/** How far a task has come, as one run of the workflow hands it to the next. Texts are in the store. */
export interface TaskProgressState {
  stepIndex: number;
  /** The session's active time when the task began. */
  startedAtMs: number;
  /** Number of the next model call. */
  turn: number;
  /** Replies that came. */
  turns: number;
  /** How the calls of the last reply ended. */
  ends: CallEnd[];
  /** Notes for the model beside them. */
  notes: string[];
  /** Tools, or the browser, with a call of which nobody knows whether it took effect. */
  doubtful: string[];
  /** Hashes of calls that a person approved and that could not be done on the page as it was then. */
  approved: string[];
  trail: Trail;
  lastText: string;
  /** Why the last call that was made has failed; absent where it has not. */
  failure?: CallEnd['failure'];
  /** Its result was incomplete once: the model gets what is missing. */
  isRepair?: true;
}

/** How far a task has come. */
export class TaskProgress {
  readonly guard: LoopGuard;

  constructor(private readonly state: TaskProgressState) {
    this.guard = new LoopGuard(state.trail);
  }

  static begin(stepIndex: number, startedAtMs: number): TaskProgress {
    const trail = { navigations: [], actions: [] };
    return new TaskProgress({
      stepIndex,
      startedAtMs,
      turn: 0,
      turns: 0,
      ends: [],
      notes: [],
      doubtful: [],
      approved: [],
      trail,
      lastText: '',
    });
  }

  toState(): TaskProgressState {
    return { ...this.state, trail: this.guard.trail };
  }

  get stepIndex(): number {
    return this.state.stepIndex;
  }

  get startedAtMs(): number {
    return this.state.startedAtMs;
  }

  get turn(): number {
    return this.state.turn;
  }

  /** Replies that came. */
  get turns(): number {
    return this.state.turns;
  }

  get failure(): CallEnd['failure'] {
    return this.state.failure;
  }

  get lastText(): string {
    return this.state.lastText;
  }

  /** What the next model call gets of the turn before. */
  get incoming(): Pick<TaskProgressState, 'ends' | 'notes' | 'isRepair'> {
    const { ends, notes, isRepair } = this.state;
    return { ends, notes, ...(isRepair === undefined ? {} : { isRepair }) };
  }

  get isRepair(): boolean {
    return this.state.isRepair === true;
  }

  /** Has the model get what is missing of its result; once. */
  repair(incomplete: string): void {
    this.state.isRepair = true;
    this.state.notes = [repairNote(incomplete)];
  }

  replied(text: string): void {
    Object.assign(this.state, {
      turns: this.turn + 1,
      ends: [],
      notes: [],
      ...(text === '' ? {} : { lastText: text }),
    });
  }

  callsEnded(ends: readonly CallEnd[], notes: readonly string[] = []): void {
    // The next turn gets the failure with the result.
    this.state.ends = ends.map(({ failure: _failure, ...end }) => end);
    this.state.notes = [...notes];
    this.state.failure = ends.at(-1)?.failure;
  }

  nextTurn(): void {
    this.state.turn += 1;
  }

  /** From now on a person must approve further commits of this tool, or of all tools of its browser. */
  noteDoubt(call: PlannedCall): void {
    if (call.effect === 'commit' && this.doubtOf(call) === undefined) this.state.doubtful.push(actorOf(call));
  }

  /** What this commit may do a second time; undefined where there is nothing. */
  doubtOf(call: PlannedCall): string | undefined {
    const actor = actorOf(call);
    return call.effect === 'commit' && this.state.doubtful.includes(actor) ? actor : undefined;
  }

  /** Keeps an answer for the same call on the same page, once. */
  keepApproved(hash: string): void {
    this.state.approved.push(hash);
  }

  /** True when a person has approved exactly this and it was not done; from now on it counts as done. */
  takeApproved(hash: string): boolean {
    const { approved } = this.state;
    const at = approved.indexOf(hash);
    if (at !== -1) approved.splice(at, 1);
    return at !== -1;
  }
}

function repairNote(incomplete: string): string {
  return `${incomplete} Get what is missing: load a page that failed again, go on to a page that was not read, and call extract on each. Then call done. Whatever can't be had, say so with done.`;
}

/** Names what acts: in a browser one tool can do what another has begun, as Enter does for a click. */
function actorOf({ name, run: { kind } }: PlannedCall): string {
  return kind === 'browser' || kind === 'relay' ? 'action in the browser' : `call of ${name}`;
}
