import { patched } from '@temporalio/workflow';
import type { OpenSessionOutput } from '../../activities/signatures/engine-activities';
import { modelChain } from '../../contracts/models/model-name';
import type { Reading } from '../../contracts/models/reading';
import type { Step } from '../../contracts/sessions/step-input';
import { DEFAULT_MODEL, type SessionConfig } from '../../contracts/sessions/config';

type Opened = Pick<OpenSessionOutput, 'defaultModel' | 'connectionModels' | 'smallConnections'>;
type AiConfig = Pick<SessionConfig['ai'], 'model' | 'connectionId'>;

/** What the workers have said of models when the session was opened. */
export class SessionModels {
  private opened: Opened = { defaultModel: DEFAULT_MODEL };

  constructor(private readonly ownConnection: string) {}

  open({ defaultModel, connectionModels, smallConnections }: Opened): void {
    this.opened = { defaultModel, connectionModels, smallConnections };
  }

  /** The model of the connection, or the worker's default, for a session or a step that names none. */
  of({ model, connectionId }: AiConfig): string {
    if (model !== DEFAULT_MODEL) return model;
    const { connectionModels = {}, defaultModel } = this.opened;
    return (connectionId === this.ownConnection ? undefined : connectionModels[connectionId]) ?? defaultModel;
  }

  /** Who reads a step that is led through this connection; undefined where the list of models says it. */
  readingOf({ connectionId }: AiConfig): Reading | undefined {
    return this.opened.smallConnections?.includes(connectionId) ? 'both' : undefined;
  }

  /** The models that lead a task, and whether `rules` read it first: a list of models that begins with them says so too. */
  ofTask(
    { options: { aiConfig }, task }: Pick<Step, 'options' | 'task'>,
    { reading: wanted, agent }: Pick<SessionConfig, 'reading' | 'agent'>,
  ): { setting: string; isReadFirst: boolean } {
    const setting = this.of(aiConfig);
    const [first, ...others] = modelChain(setting);
    // A browser of the caller, and the tool of a vendor, have calls of their own; who returns a result leads to its end.
    const isAble = agent.executor === 'playwright' && agent.computerUse !== true && task?.result === undefined;
    const isShared = isAble && first === 'rules' && others.length > 0 && patched('rules-read-tasks');
    const reading = first === 'rules' && !isShared ? undefined : (wanted ?? this.readingOf(aiConfig));
    const isAsked = reading === undefined ? isShared : reading !== 'model';
    return { setting: isShared ? others.join() : setting, isReadFirst: isAsked && isAble };
  }
}
