import type { PageSnapshot } from '../../contracts/browsers/page-snapshot';
import { walkNodes } from '../../contracts/browsers/page-snapshot';
import type { AIGeneratedCommand } from '../../contracts/commands/commands';
import type { Issue } from '../../contracts/errors/issues';
import type { Step } from '../../contracts/sessions/step-input';
import type { Action, Intent } from '../language/intent';
import { parseInstruction } from '../language/parse-instruction';
import { indexPage } from '../matching/page-index';
import { resolve } from '../matching/resolve';
import { failureMessages } from './failure-messages';
import { ambiguous, notUnderstood } from './messages';
import { withValues } from './variables';

/** What one line of a check asks for. */
export type Look = { said: string } & (
  | { kind: 'open'; url: string }
  | { kind: 'wait'; text: string }
  | { kind: 'expect'; intent: Intent & { kind: 'expect' } }
  | { kind: 'expect-element'; action: Action; intent: Intent & { kind: 'expect-element' } }
);

/** Reads a line of a check; a sentence where it is none that only looks. */
export function readLook(line: string, values: Readonly<Record<string, string>> = {}): Look | string {
  const parsed = parseInstruction(line);
  if (parsed.kind === 'unknown') return notUnderstood(parsed.clause, parsed.hint);
  const [action, ...more] = withValues(parsed.actions, values);
  const said = action?.said ?? line;
  const none = `“${line}” is more than one look; a line of a check opens an address, waits for a text, or expects one.`;
  if (action === undefined || more.length > 0 || action.condition || action.until) return none;
  // A check looks for what the page says; it counts nothing.
  const intent = action.intent.kind === 'expect-count' ? action.intent.otherwise : action.intent;
  if (intent.kind === 'open') return { said, kind: 'open', url: intent.url };
  if (intent.kind === 'wait' && intent.text !== undefined) {
    const { text, hidden } = intent;
    return hidden === true
      ? { said, kind: 'expect', intent: { kind: 'expect', text, absent: true } }
      : { said, kind: 'wait', text };
  }
  if (intent.kind === 'expect') return { said, kind: 'expect', intent };
  return intent.kind === 'expect-element' ? { said, kind: 'expect-element', action, intent } : none;
}

const ACTS: readonly Intent['kind'][] = ['click', 'point', 'press', 'menu', 'words', 'search', 'drag'];

/** What the rules can't read of the checks beside steps, and a check of more than one act: it would not say which of them it shows. */
export function siteCheckIssues(steps: readonly Pick<Step, 'instruction' | 'check'>[]): Issue[] {
  return steps.flatMap(({ instruction, check }, index) => {
    if (check === undefined) return [];
    const parsed = parseInstruction(instruction);
    const acts = parsed.kind === 'actions' ? parsed.actions.filter(({ intent }) => ACTS.includes(intent.kind)) : [];
    const several = `a check shows whether one thing has happened, and this step does ${acts.length}: ${acts.map(({ said }) => said).join('; ')}. Make each a step of its own`;
    return [
      ...(acts.length > 1 ? [{ path: `steps[${index}].check`, message: several }] : []),
      ...check.lines.flatMap((line, at) => {
        const look = readLook(line);
        return typeof look === 'string' ? [{ path: `steps[${index}].check[${at}]`, message: look }] : [];
      }),
    ];
  });
}

/** What an expected element is on this page. */
export type Sought =
  | { kind: 'command'; command: AIGeneratedCommand }
  | { kind: 'absent' }
  /** Nothing is known. */
  | { kind: 'unsure'; why: string };

export function seekElement({ action }: Look & { kind: 'expect-element' }, snapshot: PageSnapshot): Sought {
  const page = indexPage(snapshot);
  const found = resolve(action, page);
  switch (found.kind) {
    case 'commands':
      return { kind: 'command', command: found.commands[0]! };
    case 'absent':
      return { kind: 'absent' };
    case 'several':
      return { kind: 'unsure', why: ambiguous(page, found) };
    case 'refused':
      return { kind: 'unsure', why: found.message };
  }
}

const QUOTED = /"([^"]+)"|“([^”]+)”/g;

/** The texts of the page that a line has in quotes. */
export function quotedTexts(line: string): string[] {
  return [...line.matchAll(QUOTED)].map(([, straight, curly]) => straight ?? curly ?? '');
}

/**
 * Why a page that does not show something proves nothing: it is another one than was opened, asks to sign in, says that
 * something has failed, or shows nothing at all. Undefined where it proves that it is not there.
 */
export function whyUnproven(snapshot: PageSnapshot, opened: string): string | undefined {
  const nodes = [...walkNodes(snapshot.nodes)].map(({ node }) => node);
  if (nodes.length === 0) return 'the page shows nothing';
  if (asksForPassword(snapshot)) return 'the page asks to sign in';
  if (placeOf(opened) !== placeOf(snapshot.url))
    return `“${opened}” has led on to ${snapshot.url}; where that is the page to look at, open that one`;
  const [failure] = failureMessages(snapshot, true);
  return failure === undefined ? undefined : `the page says “${failure}”`;
}

export function asksForPassword({ nodes }: PageSnapshot): boolean {
  return [...walkNodes(nodes)].some(({ node: { role, name = '', states = [] } }) =>
    role === 'textbox' ? states.includes('type=password') || /pass(?:word|code|phrase)/i.test(name) : false,
  );
}

function placeOf(url: string): string {
  const { origin = '', pathname = url } = URL.parse(url) ?? {};
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}
