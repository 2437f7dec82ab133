import { runMain } from '../../runtime/process';
import { startMcpServer } from '../observe/mcp-server';
import type { Conversation } from './conversation';

/**
 * Places one order through Playwright's MCP server, as a model that is always right and answers at once: it looks at each new
 * page and names elements by the references in the snapshot. Prints the conversation as JSON.
 */
runMain('playwright-mcp', async () => {
  const [shop = '', run = '', chromium = ''] = process.argv.slice(2);
  const server = await startMcpServer(chromium);
  const turns: Conversation['turns'] = [];
  let page = '';
  const call = async (tool: string, input: Record<string, unknown>): Promise<string> => {
    const answer = await server.call(tool, input);
    const turn = turns.at(-1)!;
    turn.calls.push(JSON.stringify({ tool, input }));
    turn.answers.push(answer);
    return answer;
  };
  const begin = (): void => void turns.push({ calls: [], answers: [] });
  const look = async (): Promise<void> => {
    page = await call('browser_snapshot', {});
    begin();
  };
  const find = (role: string, name: string) => {
    const target = new RegExp(`- ${role} "${name}"[^\\n]*? \\[ref=(\\w+)\\]`).exec(page)?.[1];
    if (target === undefined) throw new Error(`Expected the ${role} “${name}” on the page, got:\n${page}`);
    return { element: name, target };
  };
  const type = (name: string, text: string, role = 'textbox') => call('browser_type', { ...find(role, name), text });
  const click = (role: string, name: string) => call('browser_click', find(role, name));

  begin();
  await call('browser_navigate', { url: `${shop}/login?run=${run}` });
  await look();
  await type('Username', 'ada');
  await type('Password', process.env['SHOP_PASSWORD'] ?? '');
  await click('button', 'Sign in');
  await look();
  await type('Search', 'trail', 'searchbox');
  await click('button', 'Search');
  await look();
  await click('link', 'Trail Shoe');
  await look();
  await call('browser_select_option', { ...find('combobox', 'Size'), values: ['M'] });
  await click('button', 'Add to cart');
  await look();
  await click('link', 'Checkout');
  await look();
  await type('Full name', 'Ada Lovelace');
  await type('Address', '12 Engine Street, London');
  await type('Card number', '4242 4242 4242 4242');
  await click('radio', 'Express');
  await click('checkbox', 'I accept the terms');
  await click('button', 'Place order');
  await look();
  find('heading', 'Thank you');
  const conversation: Conversation = { tools: await server.tools(), turns };
  await server.stop();
  process.stdout.write(JSON.stringify(conversation));
});
