import { runMain } from '../../runtime/process';
import { startMcpServer } from '../observe/mcp-server';

/**
 * Places one order through Playwright's MCP server, as a model that is always right and answers at once: it looks at each new
 * page and names elements by the references in the snapshot. Prints what that would be sent and has said, as JSON.
 */
runMain('playwright-mcp', async () => {
  const [shop = '', run = '', chromium = ''] = process.argv.slice(2);
  const server = await startMcpServer(chromium);
  const tools = await server.tools();
  const conversation: string[] = [];
  const texts: string[] = [];
  let page = '';
  /** A turn is all that it does on a page that it has seen; it is sent the tools and all turns before. */
  const begin = (): void => void texts.push(tools, ...conversation);
  const call = async (tool: string, input: Record<string, unknown>): Promise<string> => {
    const said = JSON.stringify({ tool, input });
    const answer = await server.call(tool, input);
    texts.push(said);
    conversation.push(said, answer);
    return answer;
  };
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
  await server.stop();
  process.stdout.write(JSON.stringify(texts));
});
