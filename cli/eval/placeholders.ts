/** What `${name}` stands for in the texts of a case: addresses of sites, the label of the run, `--variable`. */
export type Placeholders = Readonly<Record<string, string>>;

/** Fills in the known names in every text of a value; other names are left to the session, whose variables they may be. */
export function fillIn<T>(value: T, names: Placeholders): T {
  if (typeof value === 'string')
    return value.replaceAll(/\$\{(\w+)\}/g, (all, name: string) =>
      Object.hasOwn(names, name) ? names[name]! : all,
    ) as T;
  if (Array.isArray(value)) return value.map((each) => fillIn(each as unknown, names)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fillIn(each as unknown, names)])) as T;
}

/** The first name in an address that nothing fills in. */
export function missingName(address: string): string | undefined {
  return /\$\{(\w+)\}/.exec(address)?.[1];
}
