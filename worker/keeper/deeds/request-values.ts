/** A value of a request under its name, or its path in a document. */
export type Entry = [name: string, value: string];

/** A request that Chrome has paused, as far as it is judged. */
export interface PausedRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  postData?: string | undefined;
  hasPostData?: boolean | undefined;
  postDataEntries?: { bytes?: string | undefined }[] | undefined;
}

const MOST_VALUES = 2000;
/** It stands for whatever is in there. */
export const UNREADABLE_BODY = 'a body that can not be read';
const UNREADABLE: Entry[] = [['body', UNREADABLE_BODY]];

/** The values of the body of a request: of a form, of JSON, of GraphQL, or the text itself. A file counts by its name and size. */
export function bodyValues(request: PausedRequest): Entry[] {
  const bytes = bodyOf(request);
  if (bytes === undefined) return request.hasPostData === true ? UNREADABLE : [];
  const type = headerOf(request.headers, 'content-type') ?? '';
  if (type.startsWith('multipart/form-data')) return multipartValues(bytes, type) ?? UNREADABLE;
  const text = bytes.toString('utf8');
  if (text === '') return [];
  if (type.startsWith('application/x-www-form-urlencoded')) return [...new URLSearchParams(text)];
  return jsonValues(text) ?? lineValues(text) ?? [['body', text]];
}

/** The values in an address: of its query, and the numbers of its path. */
export function addressValues(url: string): Entry[] {
  const { pathname, searchParams } = new URL(url);
  const numbers = pathname.split('/').filter((segment) => /^\d[\d.,]*$/.test(segment));
  return [...searchParams, ...numbers.map((number): Entry => ['address', number])];
}

function bodyOf({ postData, postDataEntries }: PausedRequest): Buffer | undefined {
  if (postDataEntries !== undefined)
    return Buffer.concat(postDataEntries.map(({ bytes }) => Buffer.from(bytes ?? '', 'base64')));
  return postData === undefined ? undefined : Buffer.from(postData);
}

function headerOf(headers: Record<string, string>, name: string): string | undefined {
  return Object.entries(headers).find(([known]) => known.toLowerCase() === name)?.[1];
}

function multipartValues(bytes: Buffer, type: string): Entry[] | undefined {
  const boundary = /boundary="?([^";]+)"?/.exec(type)?.[1];
  if (boundary === undefined) return undefined;
  const parts = bytes.toString('latin1').split(`--${boundary}`).slice(1, -1);
  return parts.map((part): Entry => {
    const end = part.indexOf('\r\n\r\n');
    const head = Buffer.from(part.slice(0, end), 'latin1').toString('utf8');
    const content = Buffer.from(part.slice(end + 4, -2), 'latin1');
    // Chrome writes a quote in a name as %22.
    const name = (/ name="([^"]*)"/.exec(head)?.[1] ?? '').replaceAll('%22', '"');
    const file = / filename="([^"]*)"/.exec(head)?.[1]?.replaceAll('%22', '"');
    if (file === undefined) return [name, content.toString('utf8')];
    return [name, file === '' ? '' : `${file} (${content.length} bytes)`];
  });
}

function jsonValues(text: string): Entry[] | undefined {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return undefined;
  }
  const values: Entry[] = [];
  const open: [path: string, value: unknown][] = [['', document]];
  while (open.length > 0 && values.length < MOST_VALUES) {
    const [path, value] = open.shift()!;
    if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) open.push([path === '' ? key : `${path}.${key}`, inner]);
    else values.push([path === '' ? 'body' : path, String(value)]);
  }
  if (open.length > 0) return UNREADABLE;
  return values.map(([path, value]) => [path, isQuery(path, values) ? literalsOf(value) : value]);
}

/** The words of a GraphQL document are its program; what it says itself are its literals. */
function isQuery(path: string, values: readonly Entry[]): boolean {
  const isBeside = values.some(([other]) => /(?:^|\.)(?:variables|operationName)(?:\.|$)/.test(other));
  return /(?:^|\.)query$/.test(path) && (isBeside || values.length === 1);
}

function literalsOf(query: string): string {
  return (query.match(/"[^"]*"|(?<![\w$])-?\d[\d.]*/g) ?? []).join(' ').replaceAll('"', '');
}

/** Of a form that is sent as plain text, or a body that is written like one. */
function lineValues(text: string): Entry[] | undefined {
  const lines = text.split(/\r?\n|&/).filter((line) => line !== '');
  if (!lines.every((line) => /^[\w.[\]-]+=/.test(line))) return undefined;
  return lines.map((line): Entry => {
    const at = line.indexOf('=');
    return [line.slice(0, at), line.slice(at + 1)];
  });
}
