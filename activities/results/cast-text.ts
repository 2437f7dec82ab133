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

/**
 * Parses 1,234.56 and 1.234,56: the last separator that is not followed by exactly three digits is the decimal one.
 */
export function toNumber(text: string): number | undefined {
  const found = /-?\d[\d.,\s']*/.exec(text)?.[0].replaceAll(/[\s']/g, '').replace(/[.,]$/, '');
  if (found === undefined) return undefined;
  const last = Math.max(found.lastIndexOf('.'), found.lastIndexOf(','));
  const isDecimal = last !== -1 && !(found.length - last - 1 === 3 && /^-?\d{1,3}(?:[.,]\d{3})+$/.test(found));
  const whole = isDecimal ? found.slice(0, last) : found;
  const plain = whole.replaceAll(/[.,]/g, '') + (isDecimal ? `.${found.slice(last + 1)}` : '');
  const value = Number(plain);
  return Number.isFinite(value) ? value : undefined;
}
