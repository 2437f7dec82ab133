import { COMPLETED_ANSWER } from '../../contracts/tasks/agent-loop';
import type { BrowserToolName } from '../../contracts/tools/browser-tools';
import type { CalledFunction, ReplyMessage, ResultsMessage, StoredMessage } from '../../store/models/messages';
import type { ConversationResult, PromptMessage, PromptPart } from '../models/language-model';
import { fence } from '../models/prompts/decision';

export interface ConversationView {
  /** Fences what comes from outside. */
  nonce: string;
  /** The newest so many messages of results are told in full. */
  fullResults: number;
  /** Most characters of one result. */
  resultLimit: number;
  /** By call id, of the newest results. */
  pictures: ReadonlyMap<string, PromptPart[]>;
}

/** `share` is that of the conversation's limits. */
export const FULL_VIEW = { fullResults: 2, resultLimit: 200_000, share: 1 };
/** For a model that says the conversation is too long for it. */
export const SHORT_VIEW = { fullResults: 1, resultLimit: 8000, share: 0.25 };

/** Tools that tell what a page looks like. Data that was taken from it, and what other tools told, stays. */
const PAGE_TOOLS = new Set<string>([
  'read_page',
  'find',
  'get_page_text',
  'navigate',
  'computer',
  'form_input',
  'tabs',
  'wait',
] satisfies BrowserToolName[]);
/** What is left of an old look at a page. */
const OLD_PAGE_KEPT = 300;
/** Short results stay as they are: they say what was done. */
const SHORT_RESULT = 1000;

/**
 * The conversation as a model is told it. Every call is answered right behind it, also one whose task ended before. Old
 * looks at pages are left out: they say nothing of the page as it is. `opening` stands for what is summed up.
 */
export function toPromptMessages(
  messages: readonly StoredMessage[],
  opening: string | undefined,
  telling: ConversationView,
): PromptMessage[] {
  const told: PromptMessage[] = opening === undefined ? [] : [userMessage(opening)];
  let fresh = messages.filter(({ kind }) => kind === 'results').length;
  let open: ReplyMessage | undefined;
  for (const message of messages) {
    switch (message.kind) {
      case 'task':
        if (open !== undefined) told.push({ role: 'results', results: unanswered(open.calls), parts: [] });
        open = undefined;
        addUser(told, [{ kind: 'text', text: message.text }]);
        break;
      case 'results':
        told.push(resultsMessage(message, open, fresh <= telling.fullResults, telling));
        fresh -= 1;
        open = undefined;
        break;
      case 'reply': {
        const { text, calls, raw } = message;
        const isBare = text === '' && calls.length === 0;
        told.push(isBare ? { role: 'model', text: COMPLETED_ANSWER } : { role: 'model', text, calls, raw });
        open = calls.length === 0 ? undefined : message;
        break;
      }
      case 'summary':
    }
  }
  return told;
}

function userMessage(text: string): PromptMessage {
  return { role: 'user', parts: [{ kind: 'text', text }] };
}

/** Vendors want the two sides in turn: what a person says behind results, or behind a summary, goes into the same message. */
function addUser(told: PromptMessage[], parts: PromptPart[]): void {
  const last = told.at(-1);
  if (last === undefined || last.role === 'model') told.push({ role: 'user', parts });
  else told[told.length - 1] = { ...last, parts: [...last.parts, ...parts] };
}

const NEVER_RUN = 'It was not run: the task ended before.';

function unanswered(calls: readonly CalledFunction[]): ConversationResult[] {
  return calls.map((call) => ({ call, parts: [{ kind: 'text', text: NEVER_RUN }], isError: true }));
}

function resultsMessage(
  { results, notes }: ResultsMessage,
  reply: ReplyMessage | undefined,
  isFresh: boolean,
  { nonce, resultLimit, pictures }: ConversationView,
): PromptMessage {
  const answers = (reply?.calls ?? []).map((call): ConversationResult => {
    const result = results.find(({ end }) => end.callId === call.callId);
    if (result === undefined) return unanswered([call])[0]!;
    const text = isFresh || !PAGE_TOOLS.has(call.name) ? cut(result.text, resultLimit) : withoutPage(result.text);
    const shown = pictures.get(call.callId) ?? [];
    const left = result.pictures - shown.length;
    return {
      call,
      parts: [
        { kind: 'text', text: fence('result', text, nonce) },
        ...(left > 0 ? [{ kind: 'text' as const, text: '(An older picture is left out.)' }] : []),
        ...shown,
      ],
      isError: result.end.status !== 'success',
    };
  });
  return { role: 'results', results: answers, parts: notes.map((text) => ({ kind: 'text', text })) };
}

function withoutPage(text: string): string {
  if (text.length <= SHORT_RESULT) return text;
  const rest = text.length - OLD_PAGE_KEPT;
  return `${text.slice(0, OLD_PAGE_KEPT)}\n(${rest} more characters of an older look are left out; read the page again if you need them.)`;
}

function cut(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}\n(${text.length - limit} more characters are left out.)` : text;
}
