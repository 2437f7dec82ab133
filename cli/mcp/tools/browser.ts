import { setTimeout as sleep } from 'node:timers/promises';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { BROWSER_TOOLS, isBrowserTool, type BrowserToolName } from '../../../contracts/tools/browser-tools';
import { waitForSession, resultAt } from '../follow';
import { CHANGES, READS, defineMcpTool, textResult, type McpContext, type McpTool } from '../mcp-tool';
import { nextLines, sessionLines } from '../session-view';
import { key, sessionId, waitSeconds } from './parameters';

const IDLE_MINUTES = 60;
const MINUTE_MS = 60_000;

export const openBrowser = defineMcpTool({
  name: 'open_browser',
  title: 'Open a browser to drive yourself',
  description:
    'Starts a session with a browser of its own on an address, for the browser_ tools: you decide on each call, and no ' +
    'other model takes part. Each call is journaled and never done twice. close_session ends it.',
  parameters: z.strictObject({
    url: z.string().min(1).describe('the page to begin on; its site counts as named by your person'),
    allowed_origins: z
      .array(z.string())
      .optional()
      .describe('origins that the browser may reach, such as https://*.shop.example, and no other'),
    idle_minutes: z
      .number()
      .min(1)
      .max(10_080)
      .default(IDLE_MINUTES)
      .describe('it ends when it gets no call for so long'),
    key,
    wait_seconds: waitSeconds,
  }),
  hints: { ...CHANGES, openWorldHint: true },
  async run({ url, allowed_origins: allowedOrigins, idle_minutes, key: own, wait_seconds }, call) {
    const { sessionId: id } = await call.api.startSession(
      {
        steps: [{ tool: 'navigate', args: { url } }],
        config: {
          ...(allowedOrigins === undefined ? {} : { executorConfig: { allowedOrigins } }),
          agent: {
            approvalMode: call.approvalMode,
            stayOpen: true,
            idleTimeoutMs: Math.round(idle_minutes * MINUTE_MS),
          },
        },
      },
      own,
    );
    return await resultOfCall(call, id, 0, wait_seconds, [
      `Session ${id}. Give this session_id to the browser_ tools.`,
    ]);
  },
});

export const browserResult = defineMcpTool({
  name: 'browser_result',
  title: 'Get the result of a browser call',
  description: 'The result of an earlier browser_ call that waited for a person, or whose answer was lost.',
  parameters: z.strictObject({
    session_id: sessionId,
    step: z.int().min(1).describe('the number of the call in its session, from 1'),
    wait_seconds: waitSeconds,
  }),
  hints: READS,
  run: async ({ session_id, step, wait_seconds }, call) => await resultOfCall(call, session_id, step - 1, wait_seconds),
});

/** Tools that leave the page as it is. */
const READING = new Set<BrowserToolName>(['read_page', 'find', 'get_page_text', 'extract', 'wait']);

/** The browser's tools, each with the session to use it in. */
const CALL_TOOLS = Object.keys(BROWSER_TOOLS).filter(isBrowserTool).map(toMcpTool);

export const BROWSER_MCP_TOOLS: readonly McpTool[] = [openBrowser, ...CALL_TOOLS, browserResult];

function toMcpTool(tool: BrowserToolName): McpTool {
  const { description, parameters } = BROWSER_TOOLS[tool] as { description: string; parameters: z.ZodObject };
  const isReading = READING.has(tool);
  return defineMcpTool({
    name: `browser_${tool}`,
    title: `Browser: ${tool.replaceAll('_', ' ')}`,
    description,
    // Tools whose arguments are checked together can't be extended otherwise.
    parameters: parameters.safeExtend({ session_id: sessionId, key, wait_seconds: waitSeconds }),
    hints: isReading ? READS : { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    async run(given, call) {
      const {
        session_id,
        key: own,
        wait_seconds,
        ...args
      } = given as { session_id: string; key?: string; wait_seconds: number };
      const receipt = await call.api.addSteps(session_id, { steps: [{ tool, args }] }, own);
      const index = (await placeOf(call, session_id, receipt, wait_seconds)) - 1;
      return await resultOfCall(call, session_id, index, wait_seconds);
    },
  });
}

type Receipt = Awaited<ReturnType<McpContext['api']['addSteps']>>;

/** The number of the step that a receipt is about; a message that is pending has none before a worker takes it. */
async function placeOf({ api, signal }: McpContext, id: string, receipt: Receipt, waitS: number): Promise<number> {
  if (receipt.messageState === 'applied') return receipt.totalSteps;
  const until = AbortSignal.any([signal, AbortSignal.timeout(waitS * 1000)]);
  for (;;) {
    const message = await api.showMessage(id, receipt.messageId);
    if (message.state === 'applied') return message.answer?.totalSteps ?? receipt.totalSteps;
    if (message.refusal !== undefined) throw new Error(message.refusal.message);
    if (until.aborted)
      throw new Error(
        `${receipt.reason ?? 'No worker has taken the call yet.'} It is stored, and is made once as soon as one runs; show_session shows the session.`,
      );
    await sleep(POLL_MS, undefined, { signal: until }).catch(() => undefined);
  }
}

const POLL_MS = 250;

async function resultOfCall(
  call: McpContext,
  id: string,
  index: number,
  waitS: number,
  notes: readonly string[] = [],
): Promise<CallToolResult> {
  const { lastSeq } = await call.api.showSession(id);
  const options = { after: lastSeq, waitMs: waitS * 1000, steps: index + 1, untilStep: index };
  const { details } = await waitForSession(call, id, options);
  const result = resultAt(details, index);
  const step = index + 1;
  if (result === undefined) {
    const lines = [...sessionLines(details), ...nextLines(details, call.person !== undefined)];
    return textResult([
      ...notes,
      `The call is not done yet; browser_result with step ${step} gives its result later.`,
      ...lines,
    ]);
  }
  const pictures = result.commandResults.flatMap(
    ({ metadata }) => (metadata?.['pictureId'] as string | undefined) ?? [],
  );
  const images = await Promise.all(pictures.map(async (picture) => await toImage(call, id, picture)));
  const text = [...notes, result.aiReasoning || (result.error?.message ?? 'Done.')].join('\n');
  return {
    content: [{ type: 'text', text }, ...images.flat()],
    structuredContent: { session_id: id, step, success: result.success, url: result.finalPageState.url },
    ...(result.success ? {} : { isError: true }),
  };
}

/** A picture that retention has removed meanwhile is left out. */
async function toImage({ api }: McpContext, id: string, picture: string): Promise<CallToolResult['content']> {
  const bytes = await api.showScreenshot(id, picture).catch(() => undefined);
  if (bytes === undefined) return [];
  return [{ type: 'image', data: Buffer.from(bytes).toString('base64'), mimeType: 'image/png' }];
}
