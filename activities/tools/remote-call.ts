import type { BrowserToolName } from '../../contracts/tools/browser-tools';
import type { EffectClass } from '../../contracts/commands/define-command';
import type { ToolClassification } from '../../contracts/events/execution-event';
import { isDestructive } from './destructive-controls';
import type { CallFacts } from './browser-plan';
import { isReadOnlyScript } from './read-only-script';

const LOOKS = new Set(['read_page', 'find', 'get_page_text']);
/** Lines of what can be pressed. */
const PRESSED = /\b(?:button|link|menuitem|submit)\b/i;
const LOOKING_ACTIONS = new Set(['screenshot', 'zoom', 'wait', 'scroll', 'scroll_to', 'hover']);

/**
 * What a call does in a browser that is not ours: its page is known by what it has told last, so an element is judged by
 * the line that has its ref, and a point or a key by the most dangerous line there is.
 */
export function remoteFacts(
  name: BrowserToolName,
  args: Record<string, unknown>,
  shownText: string,
): Omit<CallFacts, 'run'> {
  const own = linesOf(args['ref'], shownText);
  const { classification, effect } = classify(name, args, own, shownText);
  const line = own.find(isDestructiveLine) ?? own[0];
  const does = `${name} ${JSON.stringify(args).slice(0, 300)}`;
  return {
    classification,
    effect,
    card:
      classification === 'destructive' || classification === 'external'
        ? {
            type: 'info',
            title: `Run ${name}?`,
            prompt: line === undefined ? does : `${does} at ${line.trim().slice(0, 300)}`,
          }
        : undefined,
    identity: line ?? '',
    ...(name === 'navigate' && typeof args['url'] === 'string' && !/^(?:back|forward)$/.test(args['url'])
      ? { navigatesTo: args['url'] }
      : {}),
    ...(name === 'computer'
      ? { approvalScope: `${String(args['action'])} ${line?.trim() ?? JSON.stringify(args)}` }
      : {}),
    ...(name === 'javascript_tool' ? { approvalScope: String(args['expression']) } : {}),
  };
}

function classify(
  name: BrowserToolName,
  args: Record<string, unknown>,
  own: readonly string[],
  shownText: string,
): { classification: ToolClassification; effect: EffectClass } {
  if (LOOKS.has(name)) return { classification: 'read', effect: 'pure' };
  if (name === 'form_input' || name === 'navigate') return { classification: 'write', effect: 'idempotent' };
  if (name === 'javascript_tool')
    return { classification: isReadOnlyScript(String(args['expression'])) ? 'write' : 'destructive', effect: 'commit' };
  const action = String(args['action']);
  if (LOOKING_ACTIONS.has(action)) return { classification: 'read', effect: 'pure' };
  const isTyping = action === 'type' && !/[\r\n]/.test(String(args['text']));
  const lines = own.length === 0 ? shownText.split('\n').filter((each) => PRESSED.test(each)) : own;
  const danger = !isTyping && lines.some(isDestructiveLine);
  return { classification: danger ? 'destructive' : 'write', effect: 'commit' };
}

/**
 * The lines that show this ref: where words of the page look like an element there are several, and the most dangerous of
 * them counts. A number stands in texts as well, so a line that has it as its ref goes first.
 */
function linesOf(ref: unknown, shownText: string): string[] {
  if (typeof ref !== 'string') return [];
  const literal = ref.replaceAll(/\W/g, '\\$&');
  const lines = shownText.split('\n');
  const marked = new RegExp(`^\\W*(?:\\[${literal}\\]|${literal}:)|\\[ref=${literal}\\]`);
  const own = lines.filter((line) => marked.test(line));
  const anywhere = new RegExp(`(?<![\\w])${literal}(?![\\w])`);
  return own.length > 0 ? own : lines.filter((line) => anywhere.test(line));
}

function isDestructiveLine(line: string): boolean {
  return isDestructive({ role: roleIn(line), name: line });
}

function roleIn(line: string): string {
  return /[a-z]+/i.exec(line)?.[0].toLowerCase() ?? '';
}
