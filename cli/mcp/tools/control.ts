import { z } from 'zod';
import {
  CONTROL_MESSAGE_NAMES,
  hasInput,
  messageDefinition,
  type MessageOf,
  type MessageWithoutInput,
} from '../../../contracts/messages/messages';
import { CHANGES, defineMcpTool, textResult, type McpTool } from '../mcp-tool';
import { key, sessionId } from './parameters';

/** A tool for each control message whose name says all; those with an input have tools of their own. */
export const CONTROL_TOOLS: readonly McpTool[] = CONTROL_MESSAGE_NAMES.filter(
  (name): name is MessageWithoutInput => !hasInput(name),
).map((name) => {
  const { summary, description, done, isFinal = false } = messageDefinition(name);
  const operationId = messageDefinition(name).operationId as MessageOf<typeof name>['operationId'];
  return defineMcpTool({
    name: operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    title: summary,
    description: `${summary}. ${description}`,
    parameters: z.strictObject({ session_id: sessionId, key }),
    hints: { ...CHANGES, destructiveHint: isFinal, idempotentHint: true },
    async run({ session_id, key: own }, { api }) {
      const receipt = await api[operationId](session_id, own);
      const { status, messageState, reason } = receipt;
      return textResult([reason ?? `The session ${done(receipt, undefined)}.`], {
        session_id,
        status,
        message: messageState,
      });
    },
  });
});
