import { setTimeout as sleep } from 'node:timers/promises';
import { runMain } from '../../runtime/process';

/** What is used of the package, which is no dependency of this one. */
interface Stagehand {
  init(): Promise<void>;
  context: { pages(): { goto(url: string): Promise<unknown> }[] };
  act(instruction: string): Promise<{ success: boolean; message: string }>;
  close(): Promise<void>;
}
type Package = { Stagehand: new (options: object) => Stagehand };

interface Action {
  role: string;
  name: string;
  method: 'click' | 'fill' | 'selectOptionFromDropdown';
  value?: string;
}

/** Places one order by `act`, led by a model that is always right after 2 s. Prints what that was sent and said, as JSON. */
runMain('stagehand', async () => {
  const [shop = '', run = '', chromium = '', folder = '', delayMs = '0'] = process.argv.slice(2);
  const { Stagehand } = require(folder) as Package;
  const texts: string[] = [];
  let wanted: Action | undefined;
  const llmClient = {
    type: 'openai',
    modelName: 'stand-in',
    hasVision: false,
    clientOptions: {},
    async createChatCompletion({ options }: { options: { messages: { content: string }[] } }) {
      await sleep(Number(delayMs));
      const sent = options.messages.map(({ content }) => content);
      const data = answer(sent.join('\n'), wanted!);
      texts.push(...sent, JSON.stringify(data));
      return { data };
    },
  };
  const stagehand = new Stagehand({
    env: 'LOCAL',
    llmClient,
    verbose: 0,
    disablePino: true,
    disableAPI: true,
    localBrowserLaunchOptions: {
      executablePath: chromium,
      headless: true,
      chromiumSandbox: false,
      args: ['--no-sandbox', '--disable-gpu'],
    },
  });
  const act = async (instruction: string, action: Action): Promise<void> => {
    wanted = action;
    const { success, message } = await stagehand.act(instruction);
    if (!success) throw new Error(`${instruction}: ${message}`);
  };
  const click = (role: string, name: string) => act(`Click the ${name} ${role}`, { role, name, method: 'click' });
  const type = (name: string, value: string, role = 'textbox') =>
    act(`Type “${value}” into the ${name} ${role}`, { role, name, method: 'fill', value });

  await stagehand.init();
  await stagehand.context.pages()[0]!.goto(`${shop}/login?run=${run}`);
  await type('Username', 'ada');
  await type('Password', process.env['SHOP_PASSWORD'] ?? '');
  await click('button', 'Sign in');
  await type('Search', 'trail', 'searchbox');
  await click('button', 'Search');
  await click('link', 'Trail Shoe');
  const size: Action = { role: 'select', name: 'Size', method: 'selectOptionFromDropdown', value: 'M' };
  await act('Select “M” in the Size dropdown', size);
  await click('button', 'Add to cart');
  await click('link', 'Checkout');
  await type('Full name', 'Ada Lovelace');
  await type('Address', '12 Engine Street, London');
  await type('Card number', '4242 4242 4242 4242');
  await click('radio', 'Express');
  await click('checkbox', 'I accept the terms');
  await click('button', 'Place order');
  await stagehand.close();
  process.stdout.write(JSON.stringify(texts));
});

function answer(prompt: string, { role, name, method, value }: Action): object {
  const line = new RegExp(`\\[(\\d+-\\d+)\\] (?:[a-z]+, )?${role}(?:, [a-z]+)?: ${name}`).exec(prompt);
  if (line === null) throw new Error(`Expected the ${role} “${name}” in:\n${prompt}`);
  const description = `the ${name} ${role}`;
  const act = { elementId: line[1], description, method, arguments: value === undefined ? [] : [value] };
  return { action: act, twoStep: false };
}
