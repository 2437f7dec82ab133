import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { StartRequestSchema } from '../../../contracts/sessions/start-request';
import { SessionStatus } from '../../../contracts/sessions/session';
import { fitted, oneLine } from '../../../contracts/text';
import { waitForSession, type Followed, type WaitForEnd } from '../follow';
import { CHANGES, READS, defineMcpTool, textResult, type McpContext } from '../mcp-tool';
import { nextLines, sessionData, sessionLines } from '../session-view';
import { key, sessionId, waitSeconds } from './parameters';

const { variables, secrets } = StartRequestSchema.shape;

/** Data to read: what it is in words, or by the JSON Schema of `result`. */
const extractStep = z.strictObject({
  extract: z.string().min(1).describe('such as: all products with name, price and link'),
  url: z.string().optional().describe('the page to begin on; the one that is open unless given'),
  result: z
    .strictObject({ schema: z.record(z.string(), z.unknown()), pages: z.int().min(1).optional() })
    .optional()
    .describe('its JSON Schema, and how many pages of a list are read at most'),
});

export const startSession = defineMcpTool({
  name: 'start_session',
  title: 'Start a browser session',
  description:
    'Runs steps or a task in a real browser, durably: the session goes on whatever dies, also this server. Give either ' +
    '`steps` (plain-English instructions, one action each, such as: Open https://shop.example; fill "Email" with "a@b.example"; ' +
    'click "Sign in"; save the order number as order) or `task` (a goal in free text, which needs a language model). It is ' +
    'followed for wait_seconds, and answers with what has happened, what it waits for and its results.',
  parameters: z.strictObject({
    steps: z
      .array(z.union([z.string().min(1), extractStep]))
      .min(1)
      .optional()
      .describe(
        'instructions, run in order, or {"extract": …} for data to read; the first that fails ends the session',
      ),
    task: z.string().min(1).optional().describe('a goal in free text'),
    url: z.string().optional().describe('with task: the page to begin on'),
    model: z
      .string()
      .min(1)
      .optional()
      .describe('the model that leads it, such as vertexai/gemini-2.5-flash; the setting of the server unless given'),
    variables: variables.describe('values that steps use as ${name}'),
    secrets: secrets.describe(
      'values that are typed into fields of their origins only and shown nowhere; `env` names an environment variable of the workers',
    ),
    allowed_origins: z
      .array(z.string())
      .optional()
      .describe('origins that the browser may reach, such as https://*.shop.example, and no other'),
    result_schema: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        'JSON Schema of data that the session is to return, an object or an array at its root: its values are read from the pages, over all pages of a list, and checked',
      ),
    stay_open: z
      .boolean()
      .optional()
      .describe('keep the session and its browser open for send_message and browser tools'),
    key,
    wait_seconds: waitSeconds,
  }),
  hints: { ...CHANGES, openWorldHint: true },
  async run(given, call) {
    const { steps, task, url, model, allowed_origins: allowedOrigins, stay_open: stayOpen, wait_seconds } = given;
    if ((steps === undefined) === (task === undefined))
      throw new Error('Expected either `steps` or `task`, and not both. Nothing was started.');
    if (url !== undefined && task === undefined)
      throw new Error('`url` goes with `task`; with steps let the first one open the page. Nothing was started.');
    const started = await call.api.startSession(
      {
        steps: steps ?? [{ task: task!, ...(url === undefined ? {} : { url }) }],
        ...(given.variables === undefined ? {} : { variables: given.variables }),
        ...(given.secrets === undefined ? {} : { secrets: given.secrets }),
        ...(given.result_schema === undefined ? {} : { result: { schema: given.result_schema } }),
        config: {
          ...(model === undefined ? {} : { aiConfig: { model } }),
          ...(allowedOrigins === undefined ? {} : { executorConfig: { allowedOrigins } }),
          agent: { approvalMode: call.approvalMode, ...(stayOpen === true ? { stayOpen } : {}) },
        },
      },
      given.key,
    );
    const note = started.isNew ? [] : ['The key has started this session before; nothing was started anew.'];
    return await follow(call, started.sessionId, { after: 0, waitMs: wait_seconds * 1000 }, [
      ...note,
      ...started.warnings,
    ]);
  },
});

export const followSessionTool = defineMcpTool({
  name: 'follow_session',
  title: 'Follow a session',
  description:
    'Waits until a session has ended or waits for somebody, at most wait_seconds, and answers with what has happened since ' +
    '`after`. Clients that ask for progress get each event as it comes. Call it again while the session goes on.',
  parameters: z.strictObject({
    session_id: sessionId,
    after: z.int().min(0).default(0).describe('events up to this number are left out: `after` of the last answer'),
    wait_seconds: waitSeconds,
  }),
  hints: READS,
  run: async ({ session_id, after, wait_seconds }, call) =>
    await follow(call, session_id, { after, waitMs: wait_seconds * 1000 }),
});

export const sendMessage = defineMcpTool({
  name: 'send_message',
  title: 'Send a message to a session',
  description:
    'Gives a session that is open (stay_open) its next task, or one that runs a further one, and follows it for wait_seconds.',
  parameters: z.strictObject({
    session_id: sessionId,
    message: z.string().min(1).describe('the task, in free text'),
    as_step: z.boolean().optional().describe('true: it is a plain-English step instead of a task'),
    key,
    wait_seconds: waitSeconds,
  }),
  hints: { ...CHANGES, openWorldHint: true },
  async run({ session_id, message, as_step, key: own, wait_seconds }, call) {
    const before = await call.api.showSession(session_id);
    const step = as_step === true ? message : { task: message };
    const receipt = await call.api.addSteps(session_id, { steps: [step] }, own);
    const note = receipt.messageState === 'pending' && receipt.reason !== undefined ? [receipt.reason] : [];
    return await follow(
      call,
      session_id,
      { after: before.lastSeq, waitMs: wait_seconds * 1000, steps: receipt.totalSteps },
      note,
    );
  },
});

export const listSessions = defineMcpTool({
  name: 'list_sessions',
  title: 'List sessions',
  description: 'Lists sessions, newest first, with their status and first step.',
  parameters: z.strictObject({
    status: z.array(z.enum(SessionStatus)).optional(),
    page: z.int().min(1).default(1),
    page_size: z.int().min(1).max(100).default(20),
  }),
  hints: READS,
  async run({ status, page, page_size }, { api }) {
    const { data = [], pagination } = await api.listSessions({
      page,
      pageSize: page_size,
      ...(status === undefined ? {} : { status }),
    });
    const sessions = data.map(({ sessionId: id, status: now, createdAt, metadata }) => {
      const steps = (metadata?.['steps'] ?? []) as string[];
      return {
        session_id: id,
        status: now,
        created_at: createdAt,
        first_step: steps[0] ?? '',
        total_steps: steps.length,
      };
    });
    const lines = sessions.map(
      (each) =>
        `${each.session_id}  ${each.status}  ${String(each.created_at)}  ${fitted(oneLine(each.first_step), 80)}`,
    );
    const rest = pagination.hasNext ? [`… ${pagination.total} in all; ask for page ${page + 1}.`] : [];
    return textResult([...(lines.length === 0 ? ['There are no sessions.'] : lines), ...rest], {
      sessions,
      total: pagination.total,
    });
  },
});

export const showSession = defineMcpTool({
  name: 'show_session',
  title: 'Show a session',
  description: 'How a session stands: status, steps, answer, saved variables, errors, cost, and what it waits for.',
  parameters: z.strictObject({ session_id: sessionId }),
  hints: READS,
  async run({ session_id }, { api, person }) {
    const details = await api.showSession(session_id);
    return textResult([...sessionLines(details), ...nextLines(details, person !== undefined)], sessionData(details));
  },
});

const MOST_LINES = 80;

export async function follow(
  call: McpContext,
  id: string,
  options: WaitForEnd,
  notes: readonly string[] = [],
): Promise<CallToolResult> {
  const followed = await waitForSession(call, id, options);
  return followedResult(followed, call.person !== undefined, notes);
}

function followedResult(
  { details, lines, after }: Followed,
  canAsk: boolean,
  notes: readonly string[],
): CallToolResult {
  const left = lines.length - MOST_LINES;
  const shown = left > 0 ? [`… ${left} earlier events are left out`, ...lines.slice(-MOST_LINES)] : lines;
  const text = [...notes, ...shown, ...sessionLines(details), ...nextLines(details, canAsk)];
  return textResult(text, { ...sessionData(details), after });
}
