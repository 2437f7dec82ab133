import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as door from '../../../client/agent/mini-agent';
import { aTool } from './tools/scripted-tools';

const ROOT = join(__dirname, '..', '..', '..');

test('[S2.R20] one module has everything of S2 that exists at run time, under the names of its package', () => {
  const { exports: doors } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    exports: Record<string, { default: string }>;
  };
  expect(doors['./mini-agent']?.default).toBe('./dist/client/agent/mini-agent.js');
  expect(readFileSync(join(ROOT, 'client', 'agent', 'mini-agent.ts'), 'utf8')).toContain(
    '@continue-reasoning/mini-agent',
  );
  expect(Object.keys(door)).toEqual(
    expect.arrayContaining([
      'AgentEventType',
      'LogLevel',
      'ToolCallStatus',
      'ToolConfirmationOutcome',
      'createAgentEventFromLLMResponse',
      'createAgentFactory',
      'isAgent',
      'isChat',
      'isTool',
    ]),
  );
});

/** A tool as gemini-cli's core declares one: more members than S2 asks for, and none of our types. */
class CoreTool {
  readonly displayName = 'Echo';
  readonly kind = 'other';
  readonly name = 'echo';
  readonly description = 'Says it again';
  readonly schema = { name: 'echo', description: 'Says it again', parameters: { type: 'object' } };
  readonly isOutputMarkdown = true;
  readonly canUpdateOutput = false;
  validateToolParams(): string | null {
    return null;
  }
  getDescription(): string {
    return 'says it again';
  }
  toolLocations(): unknown[] {
    return [];
  }
  shouldConfirmExecute(): Promise<false> {
    return Promise.resolve(false);
  }
  execute(params: unknown): Promise<{ summary: string; llmContent: string; returnDisplay: string }> {
    const { text } = params as { text: string };
    return Promise.resolve({ summary: 'said', llmContent: text, returnDisplay: `> ${text}` });
  }
}

test('[S2.R23] a tool of the core package runs as it is, by its shape, without that package', async () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<
    string,
    Record<string, string>
  >;
  expect(
    Object.keys({ ...dependencies, ...devDependencies }).filter((name) => /gemini-cli|mini-agent/.test(name)),
  ).toEqual([]);
  const tool = new CoreTool();
  expect([door.isTool(tool), door.isTool({ ...aTool(), execute: undefined })]).toEqual([true, false]);
  const scheduler = new door.ToolScheduler({ tools: [tool] });
  const ends: door.ICompletedToolCall[] = [];
  const request = { callId: 'call_1', name: 'echo', args: { text: 'hi' }, isClientInitiated: false, promptId: 'p' };
  await scheduler.schedule(request, new AbortController().signal, {
    onExecutionDone: (asked, response) => void ends.push({ request: asked, response } as door.ICompletedToolCall),
  });
  expect(ends).toMatchObject([{ request, response: { callId: 'call_1', resultDisplay: '> hi' } }]);
});
