import type { OpenSessionOutput } from '../../activities/signatures/engine-activities';
import type { Reading } from '../../contracts/models/reading';
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
}
