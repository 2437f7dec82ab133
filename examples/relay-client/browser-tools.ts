import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { z } from 'zod';
import type { BrowserToolResult } from '../../contracts/tasks/agent-loop';
import { computer, ComputerInputSchema } from './computer';
import type { ToolCall } from '../../client/remote-browser/connect';
import { callPage, type PageTools } from './page-tools';

const NavigateSchema = z.object({ url: z.string().min(1) });
const ScriptSchema = z.object({ action: z.literal('javascript_exec').optional(), expression: z.string() });
const FormInputSchema = z.object({
  ref: z.union([z.string(), z.number()]),
  value: z.union([z.string(), z.number(), z.boolean()]),
});
const ReadSchema = z.object({ filter: z.string().optional(), max_chars: z.number().positive().optional() });

type Tool = (tools: PageTools, input: never, timeoutMs: number) => Promise<BrowserToolResult>;

function tool<S extends z.ZodType>(
  schema: S,
  run: (tools: PageTools, input: z.output<S>, timeoutMs: number) => Promise<BrowserToolResult>,
): { schema: S; run: Tool } {
  return { schema, run: run as Tool };
}

const TOOLS: Record<string, { schema: z.ZodType; run: Tool }> = {
  read_page: tool(ReadSchema, (tools, input) => callPage(tools, 'readPage', input)),
  find: tool(z.object({ query: z.string() }), (tools, input) => callPage(tools, 'find', input)),
  form_input: tool(FormInputSchema, (tools, input) => callPage(tools, 'formInput', input)),
  get_page_text: tool(ReadSchema, (tools, input) => callPage(tools, 'pageText', input)),
  computer: tool(ComputerInputSchema, computer),
  navigate: tool(NavigateSchema, ({ page }, { url }, timeoutMs) => navigate(page, url, timeoutMs)),
  javascript_tool: tool(ScriptSchema, async ({ page }, { expression }) => {
    const value: unknown = await page.evaluate(expression);
    return { success: true, output: value === undefined ? 'undefined' : value };
  }),
};

/** The seven tools on one page. A tool that fails answers with a sentence for the model. */
export function createBrowserTools(page: Page): (call: ToolCall) => Promise<BrowserToolResult> {
  const script = readFileSync(join(__dirname, '..', 'extension', 'page-tools.js'), 'utf8');
  const tools: PageTools = { page, script, nextId: 1 };
  return async ({ tool: name, input, timeoutMs }) => {
    const known = TOOLS[name];
    if (known === undefined) {
      return { success: false, error: `There is no tool ${name}. There are: ${Object.keys(TOOLS).join(', ')}.` };
    }
    const parsed = known.schema.safeParse(input);
    if (!parsed.success) {
      const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
      return { success: false, error: `The arguments of ${name} are not valid: ${problems}` };
    }
    page.setDefaultTimeout(timeoutMs);
    return await known.run(tools, parsed.data as never, timeoutMs);
  };
}

async function navigate(page: Page, url: string, timeout: number): Promise<BrowserToolResult> {
  const options = { timeout, waitUntil: 'domcontentloaded' } as const;
  if (url === 'back') await page.goBack(options);
  else if (url === 'forward') await page.goForward(options);
  else await page.goto(url, options);
  return { success: true, output: `Now at ${page.url()}: ${await page.title()}` };
}
