import { parseInstruction } from '../../../../activities/model/rules/clauses';
import { readFileSync } from 'node:fs';
test('dump', () => {
  for (const line of readFileSync('/tmp/phrases.txt', 'utf8').split('\n').filter(Boolean)) {
    const p = parseInstruction(line);
    const show = (d: any) => d && `<${d.said}|${d.readings.map((r: any) => [r.ordinal, r.name, r.role && '(' + r.role.word + ')', r.near && '~'].filter(Boolean).join(' ')).join(' / ')}>`;
    process.stdout.write(line + '\n');
    if (p.kind === 'unknown') process.stdout.write('   ??? ' + p.clause + ' ' + (p.hint ?? '') + '\n');
    else for (const a of p.actions) process.stdout.write('   ' + JSON.stringify(a.intent, (k, v) => (v && v.readings ? show(v) : v)) + '\n');
  }
});
