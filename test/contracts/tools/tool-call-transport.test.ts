import type { IToolCallRequestInfo, IToolCallResponseInfo } from '../../../contracts/tools/tool-call';
import {
  toToolCallRequest,
  toToolCallResponse,
  toToolCallResponseInfo,
} from '../../../contracts/agents/tool-call-transport';

const request: IToolCallRequestInfo = {
  callId: 'call_1',
  functionId: 'fc_1',
  name: 'look',
  args: { at: 'page' },
  isClientInitiated: false,
  promptId: 'p1',
};

test('[S2.A6] a request of the scheduler goes over a transport without the id that is its provider’s own', () => {
  expect(toToolCallRequest(request)).toEqual({
    callId: 'call_1',
    name: 'look',
    args: { at: 'page' },
    isClientInitiated: false,
    promptId: 'p1',
  });
});

test('[S2.A6] a response goes over a transport with its error as a message, and comes back with an Error', () => {
  const response: IToolCallResponseInfo = {
    callId: 'call_1',
    responseParts: [{ type: 'text', text: 'seen' }],
    resultDisplay: { fileName: 'a', fileDiff: '+b' },
    error: new TypeError('It is gone.'),
  };
  const light = toToolCallResponse(response);
  expect(light).toEqual({
    callId: 'call_1',
    content: [{ type: 'text', text: 'seen' }],
    display: '+b',
    error: 'It is gone.',
  });
  expect(JSON.parse(JSON.stringify(light))).toEqual(light);
  const back = toToolCallResponseInfo(light);
  expect(back).toEqual({ ...response, resultDisplay: '+b', error: new Error('It is gone.') });
  expect(toToolCallResponse(toToolCallResponseInfo({ callId: 'c', content: [] }))).toEqual({
    callId: 'c',
    content: [],
  });
});

test.each([
  ['text', 'seen', 'seen'],
  ['something else', { a: 1 }, '{"a":1}'],
  ['nothing', undefined, ''],
])('[S2.A6] parts that are %s become text', (_what, responseParts, text) => {
  expect(toToolCallResponse({ callId: 'c', responseParts }).content).toEqual([{ type: 'text', text }]);
});
