import { RemoteCalls } from './remote-calls';
import { TaskProgress, type TaskProgressState } from './task-progress';
import { TurnCalls } from './turn-calls';
import { TurnControl } from './turn-control';

/** The task that is under way: how far it has come, its response that may be cancelled, and the calls of its turn. */
export class CurrentTask {
  readonly turns = new TurnControl();
  readonly calls = new TurnCalls();
  readonly remoteCalls = new RemoteCalls();
  private current: TaskProgress | undefined;

  constructor(continued?: TaskProgressState) {
    if (continued !== undefined) this.current = new TaskProgress(continued);
  }

  /** Undefined while no task runs. */
  get progress(): TaskProgress | undefined {
    return this.current;
  }

  /** Goes on with the task that an earlier run of the workflow has begun, or begins one. */
  begin(stepIndex: number, startedAtMs: number): TaskProgress {
    return (this.current ??= TaskProgress.begin(stepIndex, startedAtMs));
  }

  end(): void {
    this.current = undefined;
  }
}
