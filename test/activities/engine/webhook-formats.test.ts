/** What a chat is sent of a message: short, and nothing that a page or a person wrote becomes a link or a mention. */
import type { WebhookMessage } from '../../../contracts/sessions/webhook';
import { inFormat } from '../../../activities/engine/webhooks/message-formats';

const HOSTILE = '<!channel> <https://evil.example|Approve> [Approve](https://evil.example) & *bold*';
const PAGE = 'https://surefoot.example/waiting/s/a';

const asked: WebhookMessage = {
  type: 'question.asked',
  timestamp: '2026-01-02T03:04:05.000Z',
  data: {
    sessionId: 's',
    title: HOSTILE,
    page: PAGE,
    question: {
      questionId: 'q',
      pausedFor: 'approval',
      message: `Click "Buy"\n${HOSTILE}${'x'.repeat(100_000)}`,
      answerWith: { cli: 'surefoot approve a', rest: 'POST /v1/approvals/a/decision' },
    },
  },
};
const ended: WebhookMessage = {
  ...asked,
  type: 'question.ended',
  data: { ...asked.data, ending: { how: 'rejected', by: HOSTILE, reason: HOSTILE } },
} as WebhookMessage;
const failed: WebhookMessage = {
  type: 'session.failed',
  timestamp: '2026-01-02T03:04:05.000Z',
  data: { sessionId: 's', title: '', status: 'FAILED' as never, completedSteps: 1 },
};

/** Every member of a body that has this name, however deep. */
function all(body: unknown, name: string): unknown[] {
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, value]) => [...(key === name ? [value] : []), ...all(value, name)]);
}

test.each([asked, ended, failed])('Slack gets plain texts, a link of ours alone, and no mention: $type', (message) => {
  const body = inFormat('slack', message) as { text: string; blocks: { text: { type: string; text: string } }[] };
  expect(body.text).not.toMatch(/[<>]/);
  const marked = body.blocks.filter(({ text }) => text.type === 'mrkdwn').map(({ text }) => text.text);
  expect(marked).toEqual(message.data.page === undefined ? [] : [`<${PAGE}|Open it in Surefoot>`]);
  for (const { text } of body.blocks) expect(text.text.length).toBeLessThan(3000);
});

test.each([asked, ended, failed])('Teams gets an adaptive card without Markdown: $type', (message) => {
  const body = inFormat('teams', message) as { type: string; attachments: { content: { version: string } }[] };
  expect(body.type).toBe('message');
  expect(all(body, 'type').filter((type) => type === 'TextBlock')).toEqual([]);
  expect(all(body, 'url')).toEqual(message.data.page === undefined ? [] : [PAGE]);
  expect(JSON.stringify(body).length).toBeLessThan(10_000);
});

test('our own form is the message itself', () => {
  expect(inFormat('surefoot', asked)).toBe(asked);
});
