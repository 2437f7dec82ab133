import { protectQuotes } from '../language/protected-text';
import { stemsIn } from '../language/words';

/** What a text may give as a value: what is quoted, a number or an address, a name, or what stands behind “to” at its end. */
export function valuesIn(text: string): { value: string; stems: string[] }[] {
  const { text: plain, spans } = protectQuotes(text);
  const quoted = [...spans.values()].filter(({ raw, inner }) => raw !== inner).map(({ inner }) => inner);
  const found =
    quoted.length > 0
      ? quoted
      : [
          ...(plain.match(/[^\s,;:]+@[^\s,;:]+[^\s,;:.]/g) ?? []),
          ...(plain.match(/(?<![\p{L}\p{N}-])[+-]?\d+(?:[ .,:/-]\d+)*(?![\p{L}\p{N}-])/gu) ?? []),
          ...(plain.match(/(?<=\s)\p{Lu}[\p{L}'’.-]*(?:\s+(?:\p{Lu}[\p{L}'’.-]*|\d+))*/gu) ?? []),
          /(?:\bto|\bas|\bwith|\binto|=|→|:|\bis|\bword)\s+(?:the\s+|be\s+)?([^,;:]{1,60})$/i.exec(plain)?.[1] ?? '',
        ];
  return [...new Set(found.map((value) => value.trim().replace(/[.!?]+$/, '')))]
    .filter((value) => value !== '' && !value.includes('"'))
    .map((value) => ({ value, stems: [...stemsIn(value), ...value.toLowerCase().split(/[\s,]+/)] }));
}
