import { geminiAnswers, type GeminiAnswer } from './model-server/gemini';
import { startModelServer, type ModelServer, type Play, vertexAt } from './model-server/server';
import { startWholeStack, type WholeStack } from './whole-stack';
import type { AgentConnection } from '../../client/agent/connection';

/** What sessions of these tests ask: a vendor's SDK as it is, against a server of the test's own. */
export const STREAMING_MODEL = 'vertexai/gemini-2.5-flash';

export interface AgentStack extends WholeStack {
  model: ModelServer;
  connection: AgentConnection;
}

/** A stack whose model is the test's. Without browsers unless they are wanted. */
export async function startAgentStack({
  hasBrowsers = false,
  temporalSettings = {},
}: { hasBrowsers?: boolean; temporalSettings?: Record<string, string> } = {}): Promise<AgentStack> {
  const model = await startModelServer();
  const wanted = hasBrowsers ? /^(engine-1|api|keeper|browser-1|shop)$/ : /^(engine-1|api)$/;
  const stack = await startWholeStack(
    {
      ...vertexAt(model),
    },
    { wants: (name) => wanted.test(name), temporalSettings },
  );
  return {
    ...stack,
    model,
    connection: {
      sessions: stack.client,
      store: stack.engineStore,
      temporal: { address: stack.temporalAddress, namespace: 'default' },
    },
    async stop() {
      await stack.stop();
      await model.stop();
    },
  };
}

/** A reply that calls functions, with some words before it. */
export function calls(...called: [name: string, args: object][]): GeminiAnswer {
  return { text: 'I use a tool.', parts: called.map(([name, args]) => ({ functionCall: { name, args } })) };
}

export function says(text: string): GeminiAnswer {
  return { text };
}

export function plays(...answers: GeminiAnswer[]): Play[] {
  return answers.map((answer) => geminiAnswers(answer));
}
