import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { AIGeneratedCommand } from '../../../contracts/commands/commands';

export const INSISTENT_MODEL = 'ai:openai-compatible/insistent';

/** A press that this model tried, with what the prompt says came of it. */
const PRESS = /^ {3}- (?:CLICK_ELEMENT|PRESS_KEY) \{.*?\}: (.*)$/gm;
const MOST_PRESSES = 3;

/** A server that plays the vendor of a model which presses a button until it reads that the press is done. */
export interface InsistentModel {
  /** For the processes of the stack. */
  env: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

export async function startInsistentModel(): Promise<InsistentModel> {
  const server = createServer((request, response) => {
    void promptOf(request).then((prompt) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const base = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'insistent' };
      const choice = (delta: object, finish: string | null) => ({
        ...base,
        choices: [{ index: 0, delta, finish_reason: finish }],
      });
      const content = JSON.stringify(replyTo(prompt));
      const chunks = [
        choice({ role: 'assistant', content }, null),
        choice({}, 'stop'),
        { ...base, choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } },
      ];
      response.end([...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), 'data: [DONE]\n\n'].join(''));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    env: { OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${port}/v1` },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function promptOf(request: IncomingMessage): Promise<string> {
  const { messages } = (await json(request)) as { messages: { role: string; content: unknown }[] };
  const { content } = messages.findLast(({ role }) => role === 'user')!;
  return typeof content === 'string'
    ? content
    : (content as { text?: string }[]).map(({ text }) => text ?? '').join('\n');
}

/** It knows nothing but the prompt. What it reads as unknown, it does again by another way. */
function replyTo(prompt: string): object {
  const url = /^Press "Add one" at (\S+)$/m.exec(prompt)?.[1] ?? '';
  const ref = /button "Add one" \[ref=(\w+)\]/.exec(prompt)?.[1];
  const presses = [...prompt.matchAll(PRESS)].map(([, outcome = '']) => outcome);
  const isDone = presses.some((outcome) => /^done(?!; it HAPPENED, and then)|it HAPPENED, do not/.test(outcome));
  const isHopeless = presses.length >= MOST_PRESSES || presses.some((outcome) => outcome.startsWith('skipped'));
  if (isDone || isHopeless) return reply('PROCEED', []);
  if (ref === undefined) return reply('RETRY', [{ action: 'OPEN_PAGE', parameters: { url } }]);
  const selector = `ref=${ref}`;
  return presses.at(-1)?.startsWith('unknown, it may') === true
    ? reply('PROCEED', [{ action: 'PRESS_KEY', parameters: { selector, key: 'Enter' } }])
    : reply('PROCEED', [{ action: 'CLICK_ELEMENT', parameters: { selector } }]);
}

function reply(action: 'PROCEED' | 'RETRY', commands: AIGeneratedCommand[]): object {
  const text = commands.length === 0 ? 'It is pressed.' : `Next: ${commands.map((each) => each.action).join()}.`;
  const resultValidation = { success: true, expectedElements: [], actualState: text };
  return {
    reasoning: { analysis: text, rationale: text, expectedOutcome: text, confidence: 0.9 },
    decision: { action, message: text, ...(commands.length === 0 ? { resultValidation } : {}) },
    commands,
  };
}
