import { walkNodes, type PageNode, type PageSnapshot } from '../../contracts/browsers/page-snapshot';
import { EFFECT_CLASS, type AIGeneratedCommand, type BrowserAction } from '../../contracts/commands/commands';
import type { PastIteration } from '../../contracts/model-port/port';
import { settleFromSnapshot } from '../../rules/tasks/settle-from-snapshot';
import { toToolCall } from '../../rules/tasks/tool-calls';
import type { Character } from './characters';
import { resultIn, textOf, type ChatMessage } from './chat';
import { nextOf, withManners } from './manners';
import { writeNotes, type OwnNotes } from './notes';
import { readNodes, readPage } from './read-page';
import { foldedTurns, iteration, MORE_TOOLS, pastOf } from './read-turns';
import { think, type Situation } from './think';

export interface Called {
  name: string;
  args: Record<string, unknown>;
}

export interface TaskAnswer {
  text: string;
  calls: Called[];
}

/** Takes a turn of a task. All that it knows stands in the conversation. */
export function answerTask(
  character: Character,
  messages: readonly ChatMessage[],
  declared: ReadonlySet<string>,
): TaskAnswer {
  const { text, calls } = takeTurn(character, messages);
  const reached = calls.map((call) => reach(call, messages, declared));
  const asked = reached.find(({ args }) => args.args === undefined && args.tool !== undefined);
  return asked === undefined ? { text, calls: reached } : { text: 'I look up a tool.', calls: [asked] };
}

/** A tool that is not declared is called through more_tools, once its arguments are known. */
function reach(call: Called, messages: readonly ChatMessage[], declared: ReadonlySet<string>): Called {
  if (declared.has(call.name) || !declared.has(MORE_TOOLS)) return call;
  const isKnown = messages.some(
    (message) => textOf(message).includes(`${call.name}: `) && /\nargs: /.test(textOf(message)),
  );
  const args = isKnown ? { args: JSON.stringify(call.args) } : {};
  return { name: MORE_TOOLS, args: { tool: call.name, ...args } };
}

function takeTurn(character: Character, messages: readonly ChatMessage[]): TaskAnswer {
  const { situation, saved, hasPage, hasBegun, lastCall } = readConversation(messages);
  const settled: number[] = [];
  for (;;) {
    const past = [...situation.past, settledParts(settled)];
    const thought = think({ ...situation, past });
    // What is not in sight may stand on the page all the same: what was shown of it may be a part, or older.
    const isMissing = thought.kind === 'lost' || (thought.kind === 'act' && thought.notes.waiting !== undefined);
    const isUnread = !hasPage && thought.kind === 'act' && needsPage(thought.commands);
    if ((isMissing || isUnread) && hasBegun && lastCall !== 'read_page') return READING;
    if (thought.kind === 'lost') return end(character, false, thought.said, saved);
    const words = (notes: OwnNotes): string =>
      writeNotes({ ...notes, settled: [...settled, ...(notes.settled ?? [])] });
    if (thought.kind === 'done') return end(character, true, thought.said, saved);
    const atOnce = character.alwaysProceeds === true ? upToLook : upToClick;
    const act = nextOf(withManners(character, thought, { ...situation, past }), situation, atOnce);
    const [first] = act.commands;
    const here = first === undefined ? null : settleFromSnapshot(situation.page, first);
    if (here?.status === 'done' && act.notes.plan[0]! >= 0) {
      settled.push(act.notes.plan[0]!);
      if (here.savedVariable !== undefined) saved.push(`${here.savedVariable.name} = ${here.savedVariable.value}`);
      continue;
    }
    if (here?.status === 'failed') return end(character, false, here.error?.message ?? 'It is not there.', saved);
    const made = act.commands.map((command) => toToolCall(command));
    const impossible = made.find((each) => each.kind === 'impossible');
    if (impossible?.kind === 'impossible') return end(character, false, impossible.message, saved);
    const calls = made.flatMap((each) =>
      each.kind === 'call' ? [{ name: each.call.name, args: JSON.parse(each.call.args) as Called['args'] }] : [],
    );
    if (calls.some(isOfLine) && lastCall !== 'read_page') return READING;
    return {
      text: [words(act.notes), character.isBlunt === true ? '' : act.said, ...saved]
        .filter((part) => part !== '')
        .join(' '),
      calls,
    };
  }
}

const READING: TaskAnswer = { text: 'I read the page.', calls: [{ name: 'read_page', args: {} }] };

/** Whether commands need refs of a page. */
function needsPage(commands: readonly AIGeneratedCommand[]): boolean {
  return commands.some(({ parameters }) => parameters.selector !== undefined);
}

/** How many calls are put together: fields with the click that sends them, and the answer to a dialog with what opens it. */
function upToClick(commands: readonly AIGeneratedCommand[]): number {
  if (commands[0]?.action === 'HANDLE_DIALOG') return 2;
  const first = commands.findIndex(({ action }) => EFFECT_CLASS[action] === 'commit' || isLook(action));
  if (first === -1) return commands.length;
  return Math.max(1, isLook(commands[first]!.action) ? first : first + 1);
}

/** A hasty one puts everything together that it does not have to look at. */
function upToLook(commands: readonly AIGeneratedCommand[]): number {
  const first = commands.findIndex(({ action }) => isLook(action));
  return first === -1 ? commands.length : Math.max(1, first);
}

function isLook(action: BrowserAction): boolean {
  return action === 'EXPECT' || action === 'SAVE_VARIABLE' || action === 'WAIT_FOR';
}

function settledParts(settled: readonly number[]): PastIteration {
  return { ...iteration(''), context: { plan: [], settled: [...settled] } };
}

/** The end of a task: by the call that ends it, or by words alone. */
function end({ alwaysProceeds }: Character, success: boolean, said: string, saved: readonly string[]): TaskAnswer {
  const answer = [success ? said : `I could not do all of it: ${said}`, ...new Set(saved)].join('\n');
  if (alwaysProceeds === true && success) return { text: answer, calls: [] };
  return { text: '', calls: [{ name: 'done', args: { success, answer } }] };
}

interface Conversation {
  situation: Situation;
  /** What it has read for the answer, in its own words. */
  saved: string[];
  hasPage: boolean;
  hasBegun: boolean;
  lastCall: string | undefined;
}

function readConversation(messages: readonly ChatMessage[]): Conversation {
  const task = textOf(messages.find(({ role }) => role === 'user'));
  const [, url, rest = ''] =
    /^(?:Navigate to (\S+) first\. Then: )?([\s\S]*?)\n\n(?:<context>|Today is)/.exec(task) ?? [];
  const own = messages.filter(({ role }) => role === 'assistant');
  const past = messages.flatMap((message) =>
    message.role === 'assistant' ? [pastOf(message, messages)] : foldedTurns(textOf(message)),
  );
  const { page, hasPage } = pageIn(messages);
  return {
    situation: {
      instruction: url === undefined ? rest : `Open ${url}\n${rest}`,
      variables: task.match(/(?<=^Variables: .*\$\{)\w+/gm) ?? [],
      past,
      page,
      mayAct: true,
    },
    saved: past.flatMap(({ decision: { message } }) => message.match(/\b\w+ = .*$/gm) ?? []),
    hasPage,
    hasBegun: past.length > 0,
    lastCall: own.at(-1)?.tool_calls?.at(-1)?.function.name,
  };
}

/** The page as the results show it: whole, with what has changed on it since. */
function pageIn(messages: readonly ChatMessage[]): { page: PageSnapshot; hasPage: boolean } {
  let page = readPage('');
  let hasPage = false;
  for (const message of messages) {
    if (message.role !== 'tool') continue;
    const result = resultIn(textOf(message));
    const whole =
      /(?:^|\n)The page now:\n([\s\S]*)$/.exec(result)?.[1] ?? (result.startsWith('address: ') ? result : undefined);
    const [, changed] = /(?:^|\n)New or changed on the page:\n([\s\S]*?)(?:\nGone: .*)?$/.exec(result) ?? [];
    const gone = /(?:^|\n)Gone: (.*)$/.exec(result)?.[1];
    const [, title, url] = /The page is now “(.*?)” \((\S+)\)\./.exec(result) ?? [];
    if (whole !== undefined) [page, hasPage] = [readPage(whole), true];
    if (whole !== undefined && page.url === '') page = { ...page, url: url ?? '', title: title ?? '' };
    if (gone !== undefined) page = { ...page, nodes: without(page.nodes, gone) };
    if (changed !== undefined) page = { ...page, nodes: withChanges(page.nodes, readNodes(changed.split('\n'))) };
  }
  numbered(page.nodes);
  return { page, hasPage };
}

function without(nodes: readonly (PageNode | string)[], gone: string): (PageNode | string)[] {
  return nodes.flatMap((node): (PageNode | string)[] => {
    if (typeof node === 'string') return [node];
    const said = node.name ?? node.text ?? '';
    if (
      said !== '' &&
      (gone.includes(`${node.role} ${JSON.stringify(said)}`) || gone.includes(`${node.role}: ${said}`))
    )
      return [];
    return [{ ...node, children: without(node.children ?? [], gone) }];
  });
}

/** Puts changed elements in the place of those of their refs, and new ones into what they stand in. */
function withChanges(nodes: (PageNode | string)[], changes: readonly (PageNode | string)[]): (PageNode | string)[] {
  let result = nodes;
  for (const change of changes) {
    const known = typeof change === 'string' ? undefined : placeOf(change, result);
    if (typeof change === 'string' || known === undefined) result = [...result, change];
    else result = result.map((node) => changedNode(node, known, change));
  }
  return result;
}

/** The element that a change is about: by its ref, or what stands around a change by its role and name. */
function placeOf(change: PageNode, nodes: readonly (PageNode | string)[]): PageNode | undefined {
  const all = [...walkNodes(nodes)].map(({ node }) => node);
  if (change.ref !== undefined) return all.find(({ ref }) => ref === change.ref);
  if (change.since !== undefined) return undefined;
  const alike = all.filter(({ role, name, ref }) => ref === undefined && role === change.role && name === change.name);
  const inner = [...walkNodes(change.children ?? [])].flatMap(({ node: { ref } }) => ref ?? []);
  return alike.find(({ children = [] }) => inner.some((ref) => hasRef(children, ref))) ?? alike[0];
}

function hasRef(nodes: readonly (PageNode | string)[], ref: string): boolean {
  return [...walkNodes(nodes)].some(({ node }) => node.ref === ref);
}

function changedNode(node: PageNode | string, known: PageNode, change: PageNode): PageNode | string {
  if (typeof node === 'string') return node;
  const children = node.children ?? [];
  if (node !== known) return { ...node, children: children.map((child) => changedNode(child, known, change)) };
  // An element that only stands around a change has no mark of its own.
  const isWhole = change.since !== undefined && (change.children ?? []).every((child) => typeof child === 'string');
  return { ...change, children: isWhole ? (change.children ?? []) : withChanges(children, change.children ?? []) };
}

/** How it points at a line without a ref, for itself: such an element can be read, and not be used. */
const FIRST_LINE = 900_000;

function numbered(nodes: readonly (PageNode | string)[]): void {
  for (const [index, { node }] of [...walkNodes(nodes)].entries()) node.ref ??= `e${FIRST_LINE + index}`;
}

const isOfLine = ({ args: { ref } }: Called): boolean => /^e9\d{5}$/.test(String(ref));
