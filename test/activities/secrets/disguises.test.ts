// cspell:ignore Köln пароль AKIA httpsevilexample evilexample
/** Secrets in other clothes: whatever a page, a program or a model makes of them, nothing of it leaves a worker. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom, oneOf } from '../../../bench/chaos/random';
import { redactNodes } from '../../../activities/browser/pages/snapshots/redact-nodes';
import { redactError } from '../../../activities/secrets/redact-error';
import { createSessionValues, type SessionValues } from '../../../activities/secrets/session-values';
import { createStreamRedactor } from '../../../activities/engine/tasks/stream-redaction';
import { SECRET_MARK } from '../../../contracts/sessions/resources';
import { DISGUISES } from '../../support/disguises';

const SECRETS = [
  's3cret-Word!7',
  'lovelace1815',
  'correct horse battery',
  '4111111111111111',
  'grüße-aus-Köln',
  'Tr0ub4dor&3',
  'пароль-2024',
  'AKIA/9xQ+fooBAR3',
];

function valuesOf(...secrets: string[]): SessionValues {
  return createSessionValues(
    [],
    {},
    secrets.map((value, at) => ({ alias: `s${at}`, origins: [], source: { kind: 'value' as const, value } })),
  );
}

/** What is left of the disguise: none of it may be more than the marks around it. */
function restOf(shown: string): string {
  return shown
    .replaceAll(SECRET_MARK, '')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

const cases = SECRETS.flatMap((secret) =>
  Object.entries(DISGUISES).map(([name, disguise]) => ({ secret, name, text: disguise(secret) })),
);

/** What stands around the disguise in the places below, and may stay. */
const AROUND = 'It says: ';
const RESTS = new Set(['', 'httpsevilexample', 'evilexample', 'EVILEXAMPLE']);

function expectHidden(shown: string, { secret, name, text }: (typeof cases)[number], around = ''): void {
  const rest = restOf(shown.replace(around, ''));
  expect({ secret, name, text, shown, isHidden: shown.includes(SECRET_MARK) && RESTS.has(rest) }).toMatchObject({
    isHidden: true,
  });
}

test('each disguise of each secret is found in texts, events, errors, DOMs and snapshots', () => {
  expect(cases.length).toBeGreaterThan(200);
  for (const each of cases) {
    const values = valuesOf(each.secret);
    expectHidden(values.redact(`${AROUND}${each.text}`), each, AROUND);
    const event = values.redactAll({ data: { message: `${AROUND}${each.text}`, list: [{ title: each.text }] } });
    expectHidden(event.data.message, each, AROUND);
    expectHidden(event.data.list[0]!.title, each);
    const { message } = redactError(new Error(`${AROUND}${each.text}`), values) as Error;
    expectHidden(message, each, AROUND);
    const dom = `<html><body><p title="x">${AROUND}</p><div>${each.text}</div></body></html>`;
    expectHidden(values.redact(dom), each, AROUND);
    if (!/["<>]/.test(each.text))
      expectHidden(values.redact(`<input value="${each.text}">`).slice('<input value'.length), each);
    const [node] = redactNodes([{ role: 'paragraph', name: AROUND, text: each.text, url: each.text }], values) as {
      text: string;
      url: string;
    }[];
    expectHidden(node!.text, each);
    expectHidden(node!.url, each);
  }
});

test('a secret that is split over the nodes of a snapshot is found, and the texts around it stay', () => {
  for (const secret of SECRETS) {
    const half = Math.ceil(secret.length / 2);
    const nodes = redactNodes(
      [
        { role: 'heading', name: 'Your account' },
        {
          role: 'generic',
          children: [{ role: 'generic', text: secret.slice(0, half) }, secret.slice(half).toUpperCase()],
        },
        { role: 'button', name: 'Save' },
      ],
      valuesOf(secret),
    );
    expect(nodes).toEqual([
      { role: 'heading', name: 'Your account' },
      { role: 'generic', children: [{ role: 'generic', text: SECRET_MARK }, SECRET_MARK] },
      { role: 'button', name: 'Save' },
    ]);
  }
});

test('a disguise is found in a stream, wherever it is cut', () => {
  expect.hasAssertions();
  const random = seededRandom(33);
  for (const each of cases) {
    const values = valuesOf(each.secret);
    const text = `${AROUND}${each.text} and more of it`;
    for (let time = 0; time < 2; time += 1) {
      const redactor = createStreamRedactor(values);
      let published = '';
      for (let at = 0; at < text.length;) {
        const size = time === 0 ? 1 : 1 + Math.floor(random() * 9);
        published += redactor.add(text.slice(at, at + size));
        at += size;
      }
      published += redactor.end();
      expectHidden(published.replace(AROUND, '').replace(' and more of it', ''), each);
    }
  }
});

test('disguises of disguises are found: capitals in groups, in percent, in JSON', () => {
  expect.hasAssertions();
  const random = seededRandom(7);
  const plain = [
    'upper',
    'lower',
    'groups of four with U+20',
    'every character apart',
    'full width',
    'decomposed',
    'struck out',
  ];
  const coded = [
    'all percent',
    'percent twice',
    'decimal entities',
    'unicode escapes',
    'quoted-printable',
    'hexadecimal escapes',
  ];
  for (let at = 0; at < 300; at += 1) {
    const secret = oneOf(random, SECRETS)!;
    const [first, second] = [oneOf(random, plain)!, oneOf(random, coded)!];
    const text = DISGUISES[second]!(DISGUISES[first]!(secret));
    expectHidden(valuesOf(secret).redact(text), { secret, name: `${first}, ${second}`, text });
  }
});

test('ordinary texts and pages are not damaged by secrets that they do not have', () => {
  const values = valuesOf(...SECRETS, 'password', 'tiger', '123456', 'Welcome1', '99887766', 'administrator');
  const root = join(__dirname, '..', '..', '..');
  const files = [
    'docs',
    'examples/shop/parts',
    'examples/eval/office',
    'test/activities/models/rules/everyday/pages',
  ].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => /\.(?:md|html)$/.test(name))
      .map((name) => join(root, folder, name)),
  );
  expect(files.length).toBeGreaterThan(40);
  for (const file of files) {
    // These words stand in some of them, in other letters as well, and are redacted there.
    const text = readFileSync(file, 'utf8').replaceAll(/lovelace1815|password|tiger|123456|administrator/gi, 'x');
    expect([file, values.redact(text)]).toEqual([file, text]);
  }
  const numbers = Array.from({ length: 4000 }, (_, at) => String(at * 7919 + 1000)).join(', ');
  expect(values.redact(numbers)).toBe(numbers);
});

test('a password that is a word in small letters hides no name or label that begins with a capital', () => {
  const values = valuesOf('lovelace', 'password');
  expect(values.redact('Password: Ada Lovelace')).toBe('Password: Ada Lovelace');
  for (const text of ['lovelace', 'LOVELACE', 'LoveLace', 'L-O-V-E-L-A-C-E', 'Love lace', 'x_LOVELACE_x'])
    expect(values.redact(`It is ${text}`)).not.toContain(text);
});

test('digits within a longer number, and short or common words in other letters, stay', () => {
  const values = valuesOf('12345678', 'tiger', 'password', 'ab12cd');
  for (const text of [
    '9 1234 5678 0'.replaceAll(' ', ''),
    'Order 0123456789',
    'TIGER',
    'ti-ger',
    'lab 12 CDs',
    'ABC 12',
    '12, 34; 56 / 78',
  ])
    expect(values.redact(text)).toBe(text.includes('12345678') ? text.replaceAll('12345678', SECRET_MARK) : text);
  expect(values.redact('card 1234 5678.')).toBe(`card ${SECRET_MARK}.`);
});

test('nothing before a secret keeps it from being found: expansions, tags and escapes without end', () => {
  for (const before of ['\ufdfa', '<a>', '&amp;', '%20', '=20', '\\n', 'x']) {
    const values = valuesOf(...SECRETS);
    const text = `${before.repeat(20_000)} LOVELACE-1815 ${before} S3CRET&#45;WORD!7`;
    const shown = values.redact(text);
    expect([before, shown.split(SECRET_MARK).length, /LOVELACE|S3CRET/.test(shown)]).toEqual([before, 3, false]);
  }
});

test('hostile lengths are redacted in time: nested escapes, open tags and long gaps', () => {
  const values = valuesOf(...SECRETS);
  const size = 50_000;
  for (const unit of [
    '%25',
    '&amp;',
    '<a ',
    '<',
    '\\',
    '\\u005c',
    '=3D',
    's3c',
    '4111 ',
    's\u200b',
    '\ufdfa',
    'lovelace181-',
  ])
    expect(typeof values.redact(unit.repeat(size / unit.length))).toBe('string');
});
