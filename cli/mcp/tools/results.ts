import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { CHANGES, READS, defineMcpTool, textResult } from '../mcp-tool';
import { resultData, sessionLines } from '../session-view';
import { key, sessionId } from './parameters';

export const getResults = defineMcpTool({
  name: 'get_results',
  title: 'Get the results of a session',
  description:
    'Answer, result and saved variables of a session, what came of each step, and the names of its files and screenshots.',
  parameters: z.strictObject({ session_id: sessionId }),
  hints: READS,
  async run({ session_id }, { api }) {
    const [details, files, screenshots] = await Promise.all([
      api.showSession(session_id),
      api.listFiles(session_id),
      api.listScreenshots(session_id),
    ]);
    const steps = details.stepResults.map(({ stepIndex, success, aiReasoning, duration, finalPageState, error }) => ({
      step: stepIndex + 1,
      success,
      reasoning: aiReasoning,
      duration_ms: duration,
      url: finalPageState.url,
      ...(error === undefined ? {} : { error: `${error.code} ${error.message}` }),
    }));
    const newest = screenshots.at(-1);
    const lines = [
      ...sessionLines(details),
      ...steps.map(({ step, success, url }) => `Step ${step}: ${success ? 'done' : 'failed'}, on ${url}`),
      ...files.map(({ fileId, name, bytes, source }) => `File ${fileId}: ${name}, ${bytes} bytes, ${source}`),
      ...(newest === undefined
        ? []
        : [`${screenshots.length} screenshots, the newest is ${newest.id} (get_screenshot shows it).`]),
    ];
    return textResult(lines, {
      session_id,
      status: details.session.status,
      answer: details.answer,
      ...resultData(details),
      variables: Object.fromEntries(details.variables.map(({ name, value }) => [name, value])),
      steps,
      files: files.map(({ fileId, name, mediaType, bytes, sha256, source }) => ({
        file_id: fileId,
        name,
        media_type: mediaType,
        bytes,
        sha256,
        source,
      })),
      screenshots: screenshots.map(({ id, stepIndex, commandId, actionType }) => ({
        screenshot_id: id,
        ...(stepIndex === undefined ? {} : { step: stepIndex + 1 }),
        ...(commandId === undefined ? {} : { command_id: commandId }),
        action: actionType,
      })),
    });
  },
});

export const getScreenshot = defineMcpTool({
  name: 'get_screenshot',
  title: 'Get a screenshot',
  description: 'A screenshot of a session as a picture: the newest unless one is named.',
  parameters: z.strictObject({
    session_id: sessionId,
    screenshot_id: z.string().min(1).optional(),
    size: z.enum(['full', 'small']).default('full').describe('small: 320 pixels wide at most'),
  }),
  hints: READS,
  async run({ session_id, screenshot_id, size }, { api }) {
    const id = screenshot_id ?? (await api.listScreenshots(session_id)).at(-1)?.id;
    if (id === undefined) throw new Error(`Session ${session_id} has no screenshot yet.`);
    const picture = await (size === 'small' ? api.showThumbnail(session_id, id) : api.showScreenshot(session_id, id));
    return {
      content: [
        { type: 'text', text: `Screenshot ${id}` },
        { type: 'image', data: Buffer.from(picture).toString('base64'), mimeType: 'image/png' },
      ],
    };
  },
});

/** Of a file in an answer; more is for a program, not for the context of a model. */
const MOST_BYTES = 4 * 1024 * 1024;

export const getFile = defineMcpTool({
  name: 'get_file',
  title: 'Get a file',
  description: 'A file that a session has downloaded, by the id that get_results names; 4 MB at most.',
  parameters: z.strictObject({ session_id: sessionId, file_id: z.string().min(1) }),
  hints: READS,
  async run({ session_id, file_id }, { api, place }): Promise<CallToolResult> {
    const uri = new URL(
      `/v1/sessions/${encodeURIComponent(session_id)}/files/${encodeURIComponent(file_id)}`,
      place.api,
    ).href;
    const known = (await api.listFiles(session_id)).find(({ fileId }) => fileId === file_id);
    if (known === undefined)
      throw new Error(`Session ${session_id} has no file ${file_id}. get_results names the files that it has.`);
    const { name, mediaType, bytes, sha256 } = known;
    if (bytes > MOST_BYTES)
      throw new Error(
        `${name} has ${bytes} bytes, more than the ${MOST_BYTES} that fit into an answer. Get it with \`surefoot files ${session_id} --out FOLDER\`, or from ${uri}.`,
      );
    const content = Buffer.from(await api.showFile(session_id, file_id));
    const resource = isText(mediaType)
      ? { uri, mimeType: mediaType, text: content.toString('utf8') }
      : { uri, mimeType: mediaType, blob: content.toString('base64') };
    return {
      content: [
        { type: 'text', text: `${name}, ${mediaType}, ${bytes} bytes, SHA-256 ${sha256}` },
        { type: 'resource', resource },
      ],
    };
  },
});

export const uploadFile = defineMcpTool({
  name: 'upload_file',
  title: 'Give a file to upload to sites',
  description: 'Stores a file; steps, tasks and browser_upload name it by the id of the answer.',
  parameters: z.strictObject({
    name: z.string().min(1).max(255).describe('as the site is to see it'),
    text: z.string().optional().describe('its content, as text'),
    base64: z.base64().optional().describe('its content, where it is no text'),
    media_type: z.string().max(200).optional(),
    key,
  }),
  hints: CHANGES,
  async run({ name, text, base64, media_type: type = 'application/octet-stream', key: own }, { api }) {
    if ((text === undefined) === (base64 === undefined)) throw new Error('Expected either `text` or `base64`.');
    const content = text ?? Buffer.from(base64!, 'base64');
    const { fileId, bytes, sha256 } = await api.uploadFile(new File([content], name, { type }), own);
    return textResult([`${fileId}: ${name}, ${bytes} bytes`], { file_id: fileId, name, bytes, sha256 });
  },
});

function isText(mediaType: string): boolean {
  return /^text\/|[/+](json|xml|csv|yaml)\b/.test(mediaType);
}
