import fc from 'fast-check';
import { givenMessages } from '../../../activities/engine/tasks/given-history';
import { toHistory } from '../../../client/agent/conversation/history';
import { inputIssues, issuesText } from '../../../contracts/errors/issues';
import type { ContentPart, MessageItem } from '../../../contracts/tasks/chat';
import { GivenHistorySchema } from '../../../contracts/tasks/given-history';

const user = (content: ContentPart): MessageItem => ({ role: 'user', content });
const assistant = (content: ContentPart): MessageItem => ({ role: 'assistant', content });
const call = (id: string): MessageItem =>
  assistant({ type: 'function_call', functionCall: { call_id: id, name: 'find', args: '{}' } });
const response = (id: string): MessageItem =>
  user({
    type: 'function_response',
    functionResponse: { call_id: id, name: 'find', result: '{"output":"It is there."}' },
  });
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

const words = fc.string({ minLength: 1, maxLength: 20 });
/** What a conversation is made of, in an order that vendors take. */
const exchange = fc.record({
  said: fc.option(words, { nil: undefined }),
  hasImage: fc.boolean(),
  thoughts: fc.option(words, { nil: undefined }),
  answer: fc.option(words, { nil: undefined }),
  calls: fc.nat(3),
  unanswered: fc.nat(1),
});

test('a valid history comes back from the conversation as it was given', () => {
  fc.assert(
    fc.property(fc.array(exchange, { maxLength: 6 }), (exchanges) => {
      const items = exchanges.flatMap(({ said = 'Go on.', hasImage, thoughts, answer, calls, unanswered }, index) => {
        const ids = Array.from({ length: calls }, (_, each) => `call_${index}_${each}`);
        return [
          user({ type: 'text', text: said }),
          ...(hasImage ? [user({ type: 'image', data: PIXEL, mimeType: 'image/png' })] : []),
          ...(thoughts === undefined ? [] : [assistant({ type: 'thinking', thinking: thoughts })]),
          ...(answer === undefined ? [] : [assistant({ type: 'text', text: answer })]),
          ...ids.map(call),
          ...ids.slice(unanswered).map(response),
        ];
      });
      expect(inputIssues(GivenHistorySchema, items)).toEqual([]);
      const messages = givenMessages(items).map((message, index) => ({ ...message, stepIndex: 0, turn: index }));
      const back = toHistory({ summary: null, messages }).map(({ role, content }) => ({ role, content }));
      expect(back).toEqual(items);
    }),
    { seed: 36, numRuns: 300 },
  );
});

test.each<[string, MessageItem[], string]>([
  [
    'a recording',
    [user({ type: 'audio', data: PIXEL })],
    '[0]: a message of the user takes text, image, function_response, and this one is audio; say in words what it has',
  ],
  ['a call of the user', [user(call('a').content)], 'this one is function_call'],
  ['an image without data', [user({ type: 'image' })], "[0]: the image can't be sent: data: "],
  [
    'a text without text',
    [assistant({ type: 'text' })],
    'a part of type text has a member text, and this one has none',
  ],
  ['a response without its call', [response('a')], '[0]: it responds to a call a'],
  ['a second response', [call('a'), response('a'), response('a')], '[2]: it responds to a call a'],
  [
    'a response after other words',
    [call('a'), user({ type: 'text', text: 'Stop.' }), response('a')],
    '[2]: it responds to',
  ],
  [
    'a response after a later turn',
    [call('a'), call('b'), response('b'), call('c'), response('a')],
    '[4]: it responds to',
  ],
  ['two calls of one id', [call('a'), response('a'), call('a')], '[2]: there is a call a before it'],
  ['nine images', Array.from({ length: 9 }, () => user({ type: 'image', data: PIXEL })), 'at most 8 images, got 9'],
])('a history with %s is refused, with what to do', (_, items, expected) => {
  expect(issuesText(inputIssues(GivenHistorySchema, items))).toContain(expected);
});
