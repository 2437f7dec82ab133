import { z } from 'zod';
import type { ApiClient } from '../../../client/http/api-client';
import { CHANGES, defineMcpTool, textResult, type McpTool } from '../mcp-tool';
import { key, sessionId } from './parameters';

type Order = 'pauseSession' | 'resumeSession' | 'cancelSession' | 'closeSession';

const ORDERS: Record<Order, { name: string; title: string; description: string; done: string; isFinal?: true }> = {
  pauseSession: {
    name: 'pause_session',
    title: 'Pause a session',
    description: 'Pauses a session after its present command, for as long as you like.',
    done: 'It pauses after its present command.',
  },
  resumeSession: {
    name: 'resume_session',
    title: 'Resume a session',
    description: 'Lets a paused session go on.',
    done: 'It goes on.',
  },
  cancelSession: {
    name: 'cancel_session',
    title: 'Cancel a session',
    description: 'Ends a session at once and closes its browser. What it has done stays done.',
    done: 'It is being cancelled.',
    isFinal: true,
  },
  closeSession: {
    name: 'close_session',
    title: 'Close a session',
    description: 'Ends a session that was kept open, once it has done what it was given.',
    done: 'It ends once it has done what it was given.',
  },
};

export const CONTROL_TOOLS: readonly McpTool[] = Object.entries(ORDERS).map(
  ([method, { name, title, description, done, isFinal = false }]) =>
    defineMcpTool({
      name,
      title,
      description,
      parameters: z.strictObject({ session_id: sessionId, key }),
      hints: { ...CHANGES, destructiveHint: isFinal, idempotentHint: true },
      async run({ session_id, key: own }, { api }) {
        const receipt = await (api as Pick<ApiClient, Order>)[method as Order](session_id, own);
        return textResult([receipt.orderState === 'pending' ? (receipt.message ?? done) : done], {
          session_id,
          status: receipt.status,
          order: receipt.orderState,
        });
      },
    }),
);
