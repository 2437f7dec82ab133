/** Methods that read and change nothing, whatever they are called on. */
const READING = new Set(
  (
    'querySelector querySelectorAll getElementById getElementsByClassName getElementsByTagName getElementsByName closest matches ' +
    'contains getAttribute hasAttribute getBoundingClientRect getComputedStyle map filter find findIndex some every flat flatMap ' +
    'reduce slice concat join includes indexOf startsWith endsWith trim split toLowerCase toUpperCase padStart padEnd at entries ' +
    'keys values from isArray stringify parseInt parseFloat toFixed toString Number String Boolean round floor ceil max min abs ' +
    'match matchAll test replaceAll localeCompare getTime toISOString'
  ).split(' '),
);
const GLOBALS = new Set(
  'document window location Array Object JSON Math Number String Boolean true false null undefined typeof'.split(' '),
);
/** A script with one of these names is never read-only: they hold credentials, or lead to every other function. */
const FORBIDDEN = /\b(?:cookie|constructor|prototype|__proto__|localStorage|sessionStorage|this|new|eval)\b/;

/**
 * True for a script that can only read: one expression of member accesses, calls of reading methods, literals and arrow
 * functions. Anything that is not evidently that counts as a change, so that no approval is gone round by a script.
 */
export function isReadOnlyScript(script: string): boolean {
  const bare = script
    .replaceAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, '""')
    .trim()
    .replace(/;$/, '');
  // No assignments, templates, statements, computed members, or calls of a call's result.
  if (/[`{};#]|\/\*|\/\/|\+\+|--|[)\]]\s*\(|[\w)\]"]\s*\[(?!\d+\])/.test(bare)) return false;
  if (/(?<![=!<>])=(?![=>])/.test(bare) || FORBIDDEN.test(bare)) return false;
  const parameters = new Set(
    [...bare.matchAll(/(?:\(([\w\s,]*)\)|\b(\w+))\s*=>/g)].flatMap(([, many, one]) =>
      (many ?? one ?? '').split(',').map((name) => name.trim()),
    ),
  );
  for (const match of bare.matchAll(/(\.\s*)?([A-Za-z_$][\w$]*)\s*(\?\.\s*\(|\()?/g)) {
    const [, dot, name = '', call] = match;
    if (call !== undefined && !READING.has(name)) return false;
    if (call === undefined && dot === undefined && !GLOBALS.has(name) && !parameters.has(name)) return false;
  }
  // A function that is only named may be called, and bound, by the method it is given to.
  if (/\.\s*(?:map|filter|find|findIndex|some|every|flatMap|reduce)\s*\(\s*(?!(?:\([\w\s,]*\)|\w+)\s*=>)/.test(bare))
    return false;
  if (/\bfrom\s*\(.*,\s*(?!(?:\([\w\s,]*\)|\w+)\s*=>)/.test(bare)) return false;
  return !/[(,]\s*(?:document|window|location)(?:\.\w+)+\s*[),]/.test(bare);
}
