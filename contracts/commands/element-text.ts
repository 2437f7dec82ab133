const FRAME = ' >> internal:control=enter-frame >> ';
const STRING = String.raw`"((?:[^"\\]|\\.)*)"`;
const BY_ROLE = new RegExp(String.raw`^(?:internal:)?role=([\w-]+)(?:\[name=${STRING}[si]?\])?$`);
const BY_PLACEHOLDER = new RegExp(String.raw`^\[placeholder=${STRING}\]$`);
const BY_TEXT = new RegExp(String.raw`^text=${STRING}$`);

/** Renders a durable selector as a reader would name the element; any other selector stays as it is. */
export function toElementText(selector: string): string;
export function toElementText(selector: string | undefined): string | undefined;
export function toElementText(selector: string | undefined): string | undefined {
  if (selector === undefined) return undefined;
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

/** The text between quotes, on one line, after `before`; undefined where there is none. */
export function quoted(text: string, before?: string): string;
export function quoted(text: string | undefined, before?: string): string | undefined;
export function quoted(text: string | undefined, before = ''): string | undefined {
  return text === undefined ? undefined : `${before}"${text.replace(/\s+/g, ' ')}"`;
}
