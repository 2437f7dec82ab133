import type { ToolInput } from '../../contracts/tools/tool-input';
import type { RelayCallOutput } from '../../contracts/relay/relay-call';

/** Activities of the engine workers for sessions in a remote browser. */
export interface RelayActivities {
  /**
   * Runs one tool in the browser at the other end of the relay. A call id runs at most once, however often it is
   * requested and whichever process dies meanwhile; every request gets the recorded answer.
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
  /** The tenant of the session, which can't use another tenant's browser. */
  tenant?: string | undefined;
  /** How long the session waits for a browser to connect; it does not wait when absent. */
  waitForBrowserMs?: number | undefined;
}
