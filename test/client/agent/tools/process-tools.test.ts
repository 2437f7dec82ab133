import { z } from 'zod';
import type { ClientCall } from '../../../../client/agent/tools/client-calls';
import { toToolDeclaration, createToolRunner } from '../../../../client/agent/tools/process-tools';
import { ToolScheduler } from '../../../../client/agent/tools/tool-scheduler';
import type { ContentPart } from '../../../../contracts/tasks/chat';
import { defineTool } from '../../../../contracts/tools/define-tool';
import type { ITool } from '../../../../contracts/tools/tool';
import { aTool } from './scripted-tools';

const aCall = (name: string, args: Record<string, unknown> = {}): ClientCall => ({
  sessionId: 's',
  callId: 'call_1',
  name,
  args,
});
const open = () => new AbortController().signal;

describe('a tool of this process', () => {
  it('is offered by its schema', () => {
    const parameters = { type: 'object', properties: { text: { type: 'string' } } };
    const tool: ITool = { ...aTool(), schema: { name: 'echo', description: 'Says it again.', parameters } };
    expect(toToolDeclaration(tool, false)).toEqual({ name: 'echo', description: 'Says it again.', parameters });
  });

  it('that only reads is offered as that, so that it may run again; of any other nothing is said', () => {
    const parameters = z.strictObject({});
    const of = (classification: 'read' | 'write', effect?: 'commit') =>
      toToolDeclaration(
        defineTool({
          name: 'look',
          description: 'Looks',
          parameters,
          classification,
          execute: () => '',
          ...(effect && { effect }),
        }),
        false,
      ).classification;
    expect([of('read'), of('read', 'commit'), of('write')]).toEqual(['read', undefined, undefined]);
  });

  it('under a name that no vendor takes is refused with a sentence', () => {
    expect(() => toToolDeclaration(aTool({ name: 'not good' }), false)).toThrow(
      'The tool "not good" can\'t be offered: name: expected 1 to 64 letters, digits, _ and -.',
    );
  });

  it('runs through the scheduler when the session calls it', async () => {
    const tool = aTool();
    const run = createToolRunner(new ToolScheduler({ tools: [tool] }));
    expect(await run(aCall('echo', { text: 'whole' }), open())).toEqual({
      success: true,
      output: 'ran {"text":"whole"}',
    });
    expect(tool.runs).toEqual([{ text: 'whole' }]);
  });

  it('gives its picture along', async () => {
    const llmContent: ContentPart[] = [
      { type: 'text', text: 'The page.' },
      { type: 'image', data: 'AAAA', mimeType: 'image/jpeg' },
    ];
    const tool = aTool({ execute: () => Promise.resolve({ llmContent, returnDisplay: '' }) });
    const run = createToolRunner(new ToolScheduler({ tools: [tool] }));
    expect(await run(aCall('echo'), open())).toEqual({
      success: true,
      output: 'The page.',
      screenshot: { data: 'AAAA', mediaType: 'image/jpeg' },
    });
  });

  it('that fails, is unknown or is cancelled gives an error and never throws', async () => {
    const failing = aTool({ name: 'failing', execute: () => Promise.reject(new Error('no disk')) });
    const run = createToolRunner(new ToolScheduler({ tools: [failing] }));
    expect(await run(aCall('failing'), open())).toEqual({ success: false, error: 'no disk' });
    expect(await run(aCall('nowhere'), open())).toMatchObject({ success: false });
    expect(await run(aCall('failing'), AbortSignal.abort(new Error('stopped')))).toEqual({
      success: false,
      error: 'stopped',
    });
  });
});
