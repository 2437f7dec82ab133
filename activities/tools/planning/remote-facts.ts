import { remoteEffect, remoteTimeoutMs, type BrowserToolName } from '../../../contracts/tools/browser-tools';
import type { ToolClassification } from '../../../contracts/events/execution-event';
import { effectOfScript } from '../../deeds/scripts/read-only-script';
import { isDestructive } from './destructive-controls';
import type { CallFacts } from './call-facts';

/** Matches a line of a control that can be pressed. */
const PRESSED = /\b(?:button|link|menuitem|submit)\b/i;

/**
 * Plans a call in a remote browser. Its page is known by the text that it has returned last, so an element is judged by
 * the line with its ref, and a point or a key by the most destructive line there is.
 */
export function remoteFacts(
  name: BrowserToolName,
  args: Record<string, unknown>,
  shownText: string,
  executor: 'relay' | 'client',
): CallFacts {
  const own = linesOf(args['ref'], shownText);
  const classification = classify(name, args, own, shownText);
  const line = own.find(isDestructiveLine) ?? own[0];
  const call = `${name} ${JSON.stringify(args).slice(0, 300)}`;
  const summary = line === undefined ? call : `${call} at ${line.trim().slice(0, 300)}`;
  return {
    classification,
    effect: remoteEffect(name, args),
    run: { kind: executor, timeoutMs: remoteTimeoutMs(name, args) },
    card:
      classification === 'destructive' || classification === 'external'
        ? {
            type: 'info',
            title: `Run ${name}?`,
            prompt: summary,
          }
        : undefined,
    summary,
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
): ToolClassification {
  if (remoteEffect(name, args) === 'pure') return 'read';
  if (name === 'javascript_tool')
    return effectOfScript(String(args['expression'])) === undefined ? 'write' : 'destructive';
  const isTyping = args['action'] === 'type' && !/[\r\n]/.test(String(args['text']));
  if (name !== 'computer' || isTyping) return 'write';
  const lines = own.length === 0 ? shownText.split('\n').filter((each) => PRESSED.test(each)) : own;
  return lines.some(isDestructiveLine) ? 'destructive' : 'write';
}

/**
 * The lines that contain this ref. Text of the page may look like an element, so there may be several, of which the most
 * destructive counts. Numbers occur in texts too, so lines that mark the ref as theirs go first.
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
