import type { ReactNode } from 'react';

/** Names with their values, in two columns; those without a value are left out. */
export function Facts({ of }: { of: readonly (readonly [name: string, value: ReactNode])[] }) {
  const given = of.filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== false);
  if (given.length === 0) return null;
  return (
    <dl className="facts">
      {given.map(([name, value], index) => (
        <div key={index}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
