import type { BrowserAction, BrowserParameters } from '../contracts/commands/commands';

interface CommandFacts {
  action: BrowserAction;
  parameters: BrowserParameters;
}

/** One command in a line: `CLICK_ELEMENT button "Sign in"`, `INPUT_TEXT textbox "Username" <- "ada"`. */
export function toCommandText({ action, parameters }: CommandFacts): string {
  return [action, ...aimOf(parameters), ...valuesOf(parameters)].join(' ');
}

function aimOf({ selector }: BrowserParameters): string[] {
  return selector === undefined ? [] : [toElementText(selector)];
}

/** Each member says what it is by the word before it; a command carries few of them. */
function valuesOf(parameters: BrowserParameters): string[] {
  const { url, text, variableName, option, checked, key, to, hidden, seconds, title, absent, tab, accept, promptText } =
    parameters;
  const isTyping = parameters.selector !== undefined && text !== undefined;
  return [
    ...(url === undefined ? [] : [url]),
    ...(text === undefined ? [] : [isTyping ? `<- ${quoted(text)}` : quoted(text)]),
    ...(variableName === undefined ? [] : [`as ${variableName}`]),
    ...(option === undefined ? [] : [`<- ${quoted(option)}`]),
    ...(checked === undefined ? [] : [checked ? 'on' : 'off']),
    ...(key === undefined ? [] : [key]),
    ...(to === undefined ? [] : [`to ${to}`]),
    ...(title === undefined ? [] : [`title ${quoted(title)}`]),
    ...(tab === undefined ? [] : [`tab ${tab}`]),
    ...(hidden === true ? ['hidden'] : []),
    ...(absent === true ? ['absent'] : []),
    ...(seconds === undefined ? [] : [text === undefined ? `${seconds} s` : `within ${seconds} s`]),
    ...(accept === undefined ? [] : [accept ? 'accept' : 'dismiss']),
    ...(promptText === undefined ? [] : [`<- ${quoted(promptText)}`]),
  ];
}

const FRAME = ' >> internal:control=enter-frame >> ';
const STRING = String.raw`"((?:[^"\\]|\\.)*)"`;
const BY_ROLE = new RegExp(String.raw`^(?:internal:)?role=([\w-]+)(?:\[name=${STRING}[si]?\])?$`);
const BY_PLACEHOLDER = new RegExp(String.raw`^\[placeholder=${STRING}\]$`);
const BY_TEXT = new RegExp(String.raw`^text=${STRING}$`);

/** A durable selector as a reader would name the element; one of another make stays as it is. */
export function toElementText(selector: string): string {
  const parts = selector.split(FRAME);
  const [own = '', nth] = (parts.at(-1) ?? '').split(/ >> nth=(\d+)$/);
  const place = nth === undefined ? '' : ` (number ${Number(nth) + 1})`;
  const frame = parts.length > 1 ? ' in a frame' : '';
  return `${nameOf(own)}${place}${frame}`;
}

function nameOf(selector: string): string {
  const [, role, name] = BY_ROLE.exec(selector) ?? [];
  if (role !== undefined) return name === undefined ? role : `${role} ${quoted(unescaped(name))}`;
  const placeholder = BY_PLACEHOLDER.exec(selector)?.[1];
  if (placeholder !== undefined) return `field ${quoted(unescaped(placeholder))}`;
  const text = BY_TEXT.exec(selector)?.[1];
  return text === undefined ? selector : quoted(unescaped(text));
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, '$1');
}

function quoted(text: string): string {
  return `"${text.replace(/\s+/g, ' ')}"`;
}
