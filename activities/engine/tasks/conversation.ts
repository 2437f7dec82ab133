import { COMPLETED_ANSWER } from '../../../contracts/tasks/agent-loop';
import type { BrowserToolName } from '../../../contracts/tools/browser-tools';
import type { ReplyMessage, ResultsMessage, StoredMessage, TaskMessage } from '../../../store/models/messages';
import type {
  CalledFunction,
  ConversationResult,
  PromptMessage,
  PromptPart,
} from '../../../contracts/model-port/language-model';
import { asWritten } from '../tools/more-tools';
import { fence } from '../models/prompts/decision';
import { foldedTurn } from './folded-turn';

export interface ConversationView {
  /** Fences what comes from outside. */
  nonce: string;
  /** How many of the newest messages of results are complete, but for older pages. */
  fullResults: number;
  /** Whether the page is there as it was shown whole last, with all that says how it has changed since. */
  keepsPage?: boolean;
  /** Most characters of one result. */
  resultLimit: number;
  /** By call id, of the newest results. */
  pictures: ReadonlyMap<string, PromptPart[]>;
  /** Whether turns of before the page was shown whole last are a few lines each. A vendor's own tool needs them as they were. */
  isFolded?: boolean;
  /** Whether the images of the person's messages are sent; by default they are. */
  hasImages?: boolean;
}

/** `share`: the part of the conversation's limits that may be used. */
export const FULL_VIEW = { fullResults: 2, keepsPage: true, resultLimit: 200_000, share: 1 };
/** For a model that refuses the conversation as too long. */
export const SHORT_VIEW = { fullResults: 1, keepsPage: false, resultLimit: 8000, share: 0.25 };

const READ_PAGE: BrowserToolName = 'read_page';
/** Tools whose results describe a page. Extracted data, and results of other tools, are kept. */
const PAGE_TOOLS = new Set<string>([
  READ_PAGE,
  'find',
  'get_page_text',
  'navigate',
  'computer',
  'form_input',
  'tabs',
  'wait',
] satisfies BrowserToolName[]);
/** Characters that are kept of an old description of a page. */
const OLD_PAGE_KEPT = 300;
/** Shorter results are kept as they are: they say what was done. */
const SHORT_RESULT = 1000;

/**
 * The conversation as messages for a model. A result follows each call, also when the task ended before the call ran. Old
 * descriptions of pages are cut, because the page has changed since. `opening` has the summary of what came before.
 */
export function toPromptMessages(
  messages: readonly StoredMessage[],
  opening: string | undefined,
  view: ConversationView,
  fresh = freshFrom(messages, view),
): PromptMessage[] {
  const prompt: PromptMessage[] = opening === undefined ? [] : [userMessage(opening)];
  const folded = foldedTurns(messages, view, fresh);
  let open: ReplyMessage | undefined;
  for (const [index, message] of messages.entries()) {
    const lines = folded.get(index);
    if (lines !== undefined) {
      if (lines !== '') addUser(prompt, [{ kind: 'text', text: lines }]);
      continue;
    }
    switch (message.kind) {
      case 'task':
        if (open !== undefined) prompt.push({ role: 'results', results: unanswered(open.calls), parts: [] });
        open = undefined;
        addUser(prompt, taskParts(message, view));
        break;
      case 'results':
        prompt.push(
          resultsMessage(message, open, { results: index >= fresh.results, pages: index >= fresh.pages }, view),
        );
        open = undefined;
        break;
      case 'reply': {
        const { text, calls, raw } = message;
        const isBare = text === '' && calls.length === 0;
        prompt.push(
          isBare
            ? { role: 'model', text: COMPLETED_ANSWER }
            : { role: 'model', text, calls: calls.map(asWritten), raw },
        );
        open = calls.length === 0 ? undefined : message;
        break;
      }
      case 'summary':
    }
  }
  return prompt;
}

/**
 * Turns before the page that the model has, each as a few lines in place of its two messages. What was sent before stays as it
 * was until the page is shown whole again, so that vendors' caches hit. Turns that follow each other stand together.
 */
function foldedTurns(
  messages: readonly StoredMessage[],
  { isFolded = false, nonce }: ConversationView,
  { unfolded }: FreshFrom,
): Map<number, string> {
  const folded = new Map<number, string>();
  let lines: string[] = [];
  for (let index = 0; isFolded && index <= Math.min(unfolded, messages.length); index += 1) {
    const [reply, results] = messages.slice(index, index + 2);
    const turn =
      reply?.kind === 'reply' && results?.kind === 'results' && index + 1 < unfolded
        ? foldedTurn(reply, results)
        : undefined;
    if (turn !== undefined) {
      lines.push(turn);
      folded.set(index, '').set(index + 1, '');
      index += 1;
    } else if (lines.length > 0) {
      folded.set(index - 1, `What you have done:\n${fence('result', lines.join('\n'), nonce)}`);
      lines = [];
    }
  }
  return folded;
}

/**
 * Indexes of the first message whose results are complete, of the first that shows the page as it is, and of the first whose turn
 * stays as it was; Infinity for none.
 */
export interface FreshFrom {
  results: number;
  pages: number;
  unfolded: number;
}

/** No page is sent twice: once it was shown whole again, the older ones are left out. */
export function freshFrom(
  messages: readonly StoredMessage[],
  { fullResults, keepsPage }: Pick<ConversationView, 'fullResults' | 'keepsPage'>,
): FreshFrom {
  const indexes = messages.flatMap(({ kind }, index) => (kind === 'results' ? [index] : []));
  const results = fullResults === 0 ? Infinity : (indexes.at(-fullResults) ?? 0);
  const whole = indexes.findLast((index) => showsWholePage(messages[index]!, messages[index - 1])) ?? -1;
  const pages = keepsPage === true && whole !== -1 ? whole : Math.max(results, whole);
  return { results, pages, unfolded: keepsPage === true && whole === -1 ? 0 : pages };
}

function pagesAfter(message: StoredMessage): { isWholePage: boolean }[] {
  return message.kind === 'results' ? message.results.flatMap(({ pageAfter }) => pageAfter ?? []) : [];
}

function showsWholePage(message: StoredMessage, reply: StoredMessage | undefined): boolean {
  if (pagesAfter(message).some(({ isWholePage }) => isWholePage)) return true;
  return reply?.kind === 'reply' && reply.calls.some(({ name }) => name === READ_PAGE);
}

/** A person's images stay with their words for as long as the model gets these. */
function taskParts({ text, images = [] }: TaskMessage, { hasImages = true }: ConversationView): PromptPart[] {
  const shown = hasImages ? images : [];
  const left = images.length - shown.length;
  const said = left === 0 ? text : `${text}\n(${left} images of this message are left out.)`;
  return [
    ...(said === '' ? [] : [{ kind: 'text' as const, text: said }]),
    ...shown.map(({ mediaType, data }): PromptPart => ({ kind: 'image', mediaType, base64: data })),
  ];
}

function userMessage(text: string): PromptMessage {
  return { role: 'user', parts: [{ kind: 'text', text }] };
}

/**
 * Vendors expect the two sides to alternate, so a person's words after results, or after a summary, join that message.
 */
function addUser(prompt: PromptMessage[], parts: PromptPart[]): void {
  const last = prompt.at(-1);
  if (last === undefined || last.role === 'model') prompt.push({ role: 'user', parts });
  else prompt[prompt.length - 1] = { ...last, parts: [...last.parts, ...parts] };
}

const NEVER_RUN = 'It was not run: the task ended before.';

function unanswered(calls: readonly CalledFunction[]): ConversationResult[] {
  return calls.map((call) => ({
    call: asWritten(call),
    parts: [{ kind: 'text', text: NEVER_RUN }],
    isError: true,
  }));
}

function resultsMessage(
  { results, notes }: ResultsMessage,
  reply: ReplyMessage | undefined,
  isFresh: { results: boolean; pages: boolean },
  { nonce, resultLimit, pictures }: ConversationView,
): PromptMessage {
  const answers = (reply?.calls ?? []).map((call): ConversationResult => {
    const result = results.find(({ end }) => end.callId === call.callId);
    if (result === undefined) return unanswered([call])[0]!;
    const isKept = !PAGE_TOOLS.has(call.name) || (call.name === READ_PAGE ? isFresh.pages : isFresh.results);
    const text = isKept ? cut(result.text, resultLimit) : withoutPage(result.text);
    const after =
      isFresh.pages && result.pageAfter !== undefined ? `\n\n${cut(result.pageAfter.text, resultLimit)}` : '';
    const shown = pictures.get(call.callId) ?? [];
    const left = result.pictures - shown.length;
    return {
      call: asWritten(call),
      parts: [
        { kind: 'text', text: fence('result', `${text}${after}`, nonce) },
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
