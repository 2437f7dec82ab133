import { readable } from '../../../../rules/page-text/contains-text';

interface Named {
  label: string;
  value?: string | undefined;
  group?: string | undefined;
}

/**
 * The index of the option that is meant: by its label, by group and label, by its value, by the first line of its label, or
 * the only one whose label begins with these words. Undefined where there is none; `several` where equals are alike.
 */
export function matchOption(options: readonly Named[], wanted: string): number | 'several' | undefined {
  const said = readable(wanted);
  const levels: ((option: Named) => boolean)[] = [
    ({ label }) => label.trim() === wanted.trim(),
    ({ label }) => readable(label) === said,
    ({ label, group }) => group !== undefined && readable(`${group} ${label}`) === said.replaceAll(/\s*[>/:]\s*/g, ' '),
    ({ value }) => value !== undefined && readable(value) === said,
    ({ label }) => readable(label.trim().split('\n')[0]!) === said,
    ({ label }) => readable(label).startsWith(said) && !/^[\p{L}\p{N}]/u.test(readable(label).slice(said.length)),
  ];
  for (const isMeant of levels) {
    const found = options.flatMap((option, index) => (isMeant(option) ? [index] : []));
    if (found.length === 1) return found[0];
    if (found.length > 1) return 'several';
  }
  return undefined;
}
