import type { PortSetting } from './ports/ports';
import type { Reporter } from './reporting/reporter';
import type { ChildOnPorts } from './supervise-on';
import type { ChildSpec } from './supervisor/spawn-child';

export type StackPart = 'postgres' | 'temporal' | 'chromium' | 'processes';

/** What every part of a start uses. */
export interface StackContext {
  home: string;
  env: NodeJS.ProcessEnv;
  temporalSettings: Readonly<Record<string, string>>;
  /** Whether a Temporal server of the stack's own gets payloads encrypted where the environment says nothing. */
  encryptsPayloads: boolean;
  reporter: Reporter;
  signal: AbortSignal | undefined;
  has(part: StackPart): boolean;
  choosePort(setting: PortSetting): Promise<number>;
  /** Starts a child of the stack on ports of its own; resolves when it is ready. */
  supervise(
    ports: readonly PortSetting[],
    specOf: (ports: number[]) => ChildSpec | Promise<ChildSpec>,
  ): Promise<ChildOnPorts>;
}
