import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { AIGeneratedCommand } from '../../../contracts/commands/commands';

export const INSISTENT_MODEL = 'ai:openai-compatible/insistent';

/** A press, or a choice, that this model tried, with what the prompt says came of it. */
const PRESS = /^ {3}- (?:CLICK_ELEMENT|SELECT_OPTION|PRESS_KEY) \{.*?\}: (.*)$/gm;
const MOST_PRESSES = 3;

/** A server that plays the vendor of a model which presses a button, or chooses in a list, until it reads that it is done. */
export interface InsistentModel {
  /** For the processes of the stack. */
  env: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

export async function startInsistentModel(): Promise<InsistentModel> {
  const server = createServer((request, response) => {
    // A server without slots.
    if (request.method !== 'POST') return void response.writeHead(404).end();
    void questionOf(request).then(({ prompt, isTask }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const base = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'insistent' };
      const choice = (delta: object, finish: string | null) => ({
        ...base,
        choices: [{ index: 0, delta, finish_reason: finish }],
      });
      const content = isTask ? 'It is said.' : JSON.stringify(replyTo(prompt));
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

interface Question {
  prompt: string;
  /** A turn of a task, which has tools; the model answers it in words. */
  isTask: boolean;
}

async function questionOf(request: IncomingMessage): Promise<Question> {
  const { messages, tools } = (await json(request)) as {
    messages: { role: string; content: unknown }[];
    tools?: unknown[];
  };
  const { content } = messages.findLast(({ role }) => role === 'user')!;
  const prompt =
    typeof content === 'string' ? content : (content as { text?: string }[]).map(({ text }) => text ?? '').join('\n');
  return { prompt, isTask: tools !== undefined };
}

/** It knows nothing but the prompt. What it reads as unknown, it does again by another way. */
function replyTo(prompt: string): object {
  const url = /^(?:Press "Add one"|Choose "one" in "Add") at (\S+)$/m.exec(prompt)?.[1] ?? '';
  const [, role, ref] = /(button "Add one"|combobox "Add") \[ref=(\w+)\]/.exec(prompt) ?? [];
  const presses = [...prompt.matchAll(PRESS)].map(([, outcome = '']) => outcome);
  const isDone = presses.some((outcome) => /^done(?!; it HAPPENED, and then)|it HAPPENED, do not/.test(outcome));
  const isHopeless = presses.length >= MOST_PRESSES || presses.some((outcome) => outcome.startsWith('skipped'));
  if (isDone || isHopeless) return reply('PROCEED', []);
  if (ref === undefined) return reply('RETRY', [{ action: 'OPEN_PAGE', parameters: { url } }]);
  const selector = `ref=${ref}`;
  if (role === 'combobox "Add"')
    return reply('PROCEED', [{ action: 'SELECT_OPTION', parameters: { selector, option: 'one' } }]);
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
