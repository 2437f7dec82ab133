import type { BrowserToolName } from '../../contracts/browser-tools';
import type { EffectClass } from '../../contracts/commands';
import type { ToolClassification } from '../../contracts/execution';
import { isDangerous } from './danger';
import type { CallFacts } from './draft';
import { isPlainScript } from './plain-script';

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
  const line = lineOf(args['ref'], shownText);
  const { classification, effect } = judged(name, args, line, shownText);
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
    ...(name === 'computer' ? { alike: `${String(args['action'])} ${line?.trim() ?? JSON.stringify(args)}` } : {}),
    ...(name === 'javascript_tool' ? { alike: String(args['expression']) } : {}),
  };
}

function judged(
  name: BrowserToolName,
  args: Record<string, unknown>,
  line: string | undefined,
  shownText: string,
): { classification: ToolClassification; effect: EffectClass } {
  if (LOOKS.has(name)) return { classification: 'read', effect: 'pure' };
  if (name === 'form_input' || name === 'navigate') return { classification: 'write', effect: 'idempotent' };
  if (name === 'javascript_tool')
    return { classification: isPlainScript(String(args['expression'])) ? 'write' : 'destructive', effect: 'commit' };
  const action = String(args['action']);
  if (LOOKING_ACTIONS.has(action)) return { classification: 'read', effect: 'pure' };
  const isTyping = action === 'type' && !/[\r\n]/.test(String(args['text']));
  const lines = line === undefined ? shownText.split('\n').filter((each) => PRESSED.test(each)) : [line];
  const danger = !isTyping && lines.some((each) => isDangerous({ role: roleIn(each), name: each }));
  return { classification: danger ? 'destructive' : 'write', effect: 'commit' };
}

function lineOf(ref: unknown, shownText: string): string | undefined {
  if (typeof ref !== 'string') return undefined;
  const wanted = new RegExp(`(?<![\\w])${ref.replaceAll(/\W/g, '\\$&')}(?![\\w])`);
  return shownText.split('\n').find((line) => wanted.test(line));
}

function roleIn(line: string): string {
  return /[a-z]+/i.exec(line)?.[0].toLowerCase() ?? '';
}
