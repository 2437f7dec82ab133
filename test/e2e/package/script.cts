// A strict program in CommonJS: controls a session over HTTP; tools and agents are there by name.
import { createClient } from 'surefoot';
import { createSimpleAgent, runAgentLoop, type AgentLoopParams, type IAgent } from 'surefoot/agent';
import { isAgent } from 'surefoot/mini-agent';
import { defineTool, type ITool } from 'surefoot/tools';
import { z } from 'zod';

const stock: ITool = defineTool({
  name: 'stock',
  description: 'How many are in stock',
  parameters: z.strictObject({ product: z.string() }),
  classification: 'read',
  execute: ({ product }) => `7 of ${product}`,
});
const started: (model: string, folder: string) => Promise<IAgent> = createSimpleAgent;
const loop: (params: AgentLoopParams) => Promise<{ status: 'complete' | 'error' | 'max_steps' }> = runAgentLoop;

let isSignedIn = false;
function page(tool: string): string {
  if (tool === 'computer') isSignedIn = true;
  if (tool !== 'read_page') return 'done';
  return isSignedIn ? 'Shop — https://shop.test/\nWelcome' : 'Shop — https://shop.test/\n[1] button "Sign in"';
}

async function main(): Promise<void> {
  const [api = '', token, shop] = process.argv.slice(2);
  const surefoot = createClient({ api, token });
  const { sessionId } = await surefoot.startSession({ steps: [`Open ${shop}/parts/counter`, 'Wait 60 seconds'] });
  await surefoot.cancelSession(sessionId);
  const { session } = await surefoot.waitForEnd(sessionId);
  const said = await surefoot.runAgentLoop(
    {
      task: 'Click Sign in and expect "Welcome".',
      executeTool: async (name) => ({ success: true, output: page(name) }),
    },
    { config: { aiConfig: { model: 'rules' } } },
  );
  const result = await stock.execute({ product: 'shoe' }, new AbortController().signal);
  console.log(
    JSON.stringify({
      status: session.status,
      loop: said.status,
      result: result.llmContent,
      isAgent: isAgent({}),
      names: [started.name, loop.name],
    }),
  );
}
void main();
