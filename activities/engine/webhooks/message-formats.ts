import type { WebhookFormat, WebhookMessage } from '../../../contracts/sessions/webhook';
import { printable } from '../../../contracts/printable';
import { oneLine } from '../../../contracts/text';

/** Of one block of Slack, and more than anybody reads in a chat. */
const MAX_TEXT = 2000;

/** The body of a request: the message itself, or what a chat shows of it. */
export function inFormat(format: WebhookFormat, message: WebhookMessage): unknown {
  if (format === 'surefoot') return message;
  const { page } = message.data;
  const [headline, text] = wordsOf(message).map((words) => oneLine(printable(words), MAX_TEXT)) as [string, string];
  return format === 'slack' ? forSlack(headline, text, page) : forTeams(headline, text, page);
}

const ENDS = {
  'session.completed': 'Completed',
  'session.failed': 'Failed',
  'session.cancelled': 'Cancelled',
};

function wordsOf(message: WebhookMessage): [headline: string, text: string] {
  const { title, sessionId } = message.data;
  const name = title || sessionId;
  switch (message.type) {
    case 'question.asked':
      return [`Waits for a person: ${name}`, message.data.question.message];
    case 'question.ended': {
      const { how, by, reason } = message.data.ending;
      const who = by === undefined ? '' : ` by ${by}`;
      const why = reason === undefined ? '' : ` (${reason})`;
      return [`No answer is needed any more: ${name}`, `${how}${who}${why}: ${message.data.question.message}`];
    }
    default: {
      const { error, completedSteps } = message.data;
      return [`${ENDS[message.type]}: ${name}`, error?.message ?? `Steps done: ${completedSteps}.`];
    }
  }
}

/** What pages and people wrote stands as plain text, where nothing of it is a link or a mention. */
function forSlack(headline: string, text: string, page: string | undefined): object {
  const plain = (words: string) => ({ type: 'section', text: { type: 'plain_text', text: words, emoji: false } });
  const link = { type: 'section', text: { type: 'mrkdwn', text: `<${page}|Open it in Surefoot>` } };
  return {
    // Shown by notifications.
    text: headline.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    blocks: [plain(headline), plain(text), ...(page === undefined ? [] : [link])],
  };
}

/** An adaptive card; a RichTextBlock takes no Markdown. */
function forTeams(headline: string, text: string, page: string | undefined): object {
  const plain = (words: string, style: object) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text: words, ...style }],
  });
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [plain(headline, { weight: 'Bolder' }), plain(text, {})],
    ...(page === undefined ? {} : { actions: [{ type: 'Action.OpenUrl', title: 'Open it in Surefoot', url: page }] }),
  };
  const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content };
  return { type: 'message', attachments: [attachment] };
}
