import type { ToolInput } from '../contracts/tools/browser-tool-result';
import type { RelayCallOutput } from '../contracts/relay/relay-call';

/** Activities of the engine workers for sessions whose browser is somebody else's. */
export interface RelayActivities {
  /**
   * Runs one tool in the browser at the other end of the relay. However often it is asked for, and whoever dies
   * meanwhile, a call id runs at most once, and its recorded answer is the answer.
   */
  relayCall(input: RelayCallInput): Promise<RelayCallOutput>;
}

export interface RelayCallInput {
  sessionId: string;
  stepIndex?: number;
  browserSessionId: string;
  /** Of the tool call; unique within the session. */
  callId: string;
  tool: string;
  input: ToolInput;
  /** Whose session it is: another tenant's browser is none. */
  tenant?: string | undefined;
  /** How long the session waits for a browser that is not connected; not at all unless given. */
  waitForBrowserMs?: number | undefined;
}
