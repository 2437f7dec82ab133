import { remoteEffect, remoteTimeoutMs, type BrowserToolName } from '../../../../contracts/tools/browser-tools';
import type { ToolClassification } from '../../../../contracts/commands/tool-classification';
import type { PressedPlace, Judgement } from '../../../deeds/judgement';
import { HARMLESS, worstOf } from '../../../deeds/judgement';
import { judgeCommand } from '../../../deeds/judge-deed';
import { judgeKey, judgeTyped } from '../../../deeds/keys';
import { judgePress } from '../../../deeds/presses';
import { namedKey } from '../planners/keys';
import type { PlannedFacts } from './call-facts';

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
): PlannedFacts {
  const own = linesOf(args['ref'], shownText);
  const judged = judge(name, args, own, shownText);
  const isRead = remoteEffect(name, args) === 'pure';
  const classification: ToolClassification = isRead ? 'read' : judged.kind === 'harmless' ? 'write' : 'destructive';
  const line = own.find(isDeed) ?? own[0];
  const call = `${name} ${JSON.stringify(args).slice(0, 300)}`;
  const summary = line === undefined ? call : `${call} at ${line.trim().slice(0, 300)}`;
  return {
    classification,
    effect: remoteEffect(name, args),
    run: { kind: executor, timeoutMs: remoteTimeoutMs(name, args) },
    card:
      judged.kind === 'harmless'
        ? undefined
        : { type: 'info', title: `Run ${name}?`, prompt: `${summary}. ${judged.why}` },
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

/** What a call in a remote browser does; its elements are known by the lines of its text alone. */
function judge(
  name: BrowserToolName,
  args: Record<string, unknown>,
  own: readonly string[],
  shownText: string,
): Judgement {
  const text = typeof args['text'] === 'string' ? args['text'] : '';
  const snapshot = { snapshotId: '', url: '', title: '', tabs: [], nodes: [] };
  const command = (action: 'RUN_SCRIPT' | 'OPEN_PAGE' | 'SELECT_OPTION', parameters: object): Judgement =>
    judgeCommand({ snapshot, pageUrl: '', place: own.map(placeOf)[0] }, { action, parameters });
  if (remoteEffect(name, args) === 'pure') return HARMLESS;
  if (name === 'javascript_tool') return command('RUN_SCRIPT', { script: String(args['expression']) });
  if (name === 'navigate') return command('OPEN_PAGE', { url: String(args['url']) });
  if (name === 'form_input') {
    // Only what is chosen of a list may act at once.
    const isList = own.some((line) => /^(?:combobox|listbox|select)$/.test(roleIn(line)));
    const isSwitch = own.some((line) => roleIn(line) === 'switch');
    return worstOf([
      isList ? command('SELECT_OPTION', { option: String(args['value']) }) : HARMLESS,
      ...(isSwitch ? own.map((line) => judgePress(placeOf(line), { pageUrl: '' })) : []),
    ]);
  }
  if (name !== 'computer') return HARMLESS;
  const pressed = shownText.split('\n').filter((each) => PRESSED.test(each));
  const places = (own.length === 0 ? pressed : own).map(placeOf);
  const presses = worstOf(places.map((place) => judgePress(place, { pageUrl: '' })));
  if (args['action'] === 'type')
    return /[\r\n]/.test(text) ? worstOf([presses, judgeTyped(text, places[0], { pageUrl: '' }, [])]) : HARMLESS;
  if (args['action'] !== 'key') return presses;
  const field = own.length === 0 ? undefined : places[0];
  return worstOf([presses, judgeKey(namedKey(text), field, { pageUrl: '' }, pressed.map(placeOf))]);
}

/** An element as its line gives it: all that stands there counts as its name. */
function placeOf(line: string): PressedPlace {
  return { node: { role: roleIn(line), name: line.trim() }, ancestors: [] };
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

function isDeed(line: string): boolean {
  return judgePress(placeOf(line), { pageUrl: '' }).kind !== 'harmless';
}

function roleIn(line: string): string {
  return /[a-z]+/i.exec(line)?.[0].toLowerCase() ?? '';
}
