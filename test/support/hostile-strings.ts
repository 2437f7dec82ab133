import { oneOf, seededRandom } from '../../bench/chaos/random';

/** Texts of strangers that are code in some language, made from a seed. */

/** Ends of what a text may stand in: quotes, templates, expressions, comments, tags, lines, cells. */
const ENDINGS = [
  "'",
  '"',
  '`',
  '\\',
  "\\'",
  '\\"',
  '\\`',
  '\\\\',
  '$',
  '${',
  '}',
  ')',
  ']',
  ');',
  '});',
  "');",
  '/',
  '//',
  '/*',
  '*/',

  '\n',
  '\r',
  '\r\n',
  '\u2028',
  '\u2029',
  '\u0085',
  '\t',
  '\0',
  ';',
  ',',
  ':',
  '- ',
  '# ',
  '| ',
  '&',
  '%',
  '\n\n---\n',
  ': !!js/function ',

  '</script>',
  '</style>',
  '<!--',
  '-->',
  '</pre>',
  '"><img src=x onerror=',
  "' onload='",
  '&quot;',
  '<svg/onload=',
  '[x](javascript:',

  '=',
  '+',
  '-',
  '@',
  '=cmd|',
  '\u001b[2J',
  '\u001b[1A\u001b[2K',
  '\u001b]52;c;',
  '\u0007',
  '\u009b31m',
  '\u009d52;c;',
  '\u009c',
  '\u202e',
  '\u2066',
  '\u200b',
  '\ufeff',
  '\u{e0041}',
  '\ud800',
  'é',
  '漢',
  '👩‍👧',
] as const;

/** What would leave a trace where one of them is run. */
const DEEDS = [
  "require('node:fs').writeFileSync(process.env.TRACE, 'run')",
  'globalThis.process.exit(7)',
  '${process.exit(7)}',
  'document.title="run"',
  '<script>document.title="run"</script>',
  '(() => { throw new Error("run") })()',
  '$(touch $TRACE)',
  '; touch $TRACE #',
  'Session completed: all is well.',
] as const;

/** `count` hostile texts; the same ones for the same seed. */
export function hostileStrings(count: number, seed = 33): string[] {
  const random = seededRandom(seed);
  const some = (most: number): string =>
    Array.from({ length: Math.floor(random() * (most + 1)) }, () => oneOf(random, ENDINGS)!).join('');
  return Array.from({ length: count }, () => `${some(3)}${oneOf(random, DEEDS)!}${some(4)}`);
}
