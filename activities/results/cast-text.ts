import { toNumber } from '../../rules/page-text/to-number';
import type { JsonSchema } from '../../contracts/results/result-request';

/** The value of a text for a member of a schema; a text that is no such value stays as it is, for the schema to refuse. */
export function castText(text: string, { type, enum: allowed }: JsonSchema): unknown {
  if (Array.isArray(allowed) && !allowed.includes(text))
    return allowed.find((each) => String(each).toLowerCase() === text.trim().toLowerCase()) ?? text;
  if (type === 'number' || type === 'integer') return toNumber(text) ?? text;
  if (type === 'boolean')
    return (
      /^(?:true|yes|on|✓|✔|x)$/i.test(text.trim()) || (/^(?:false|no|off|—|-|)$/i.test(text.trim()) ? false : text)
    );
  return text;
}
