import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ResultSource } from '../../contracts/results/result';
import { client } from '../connection/client';
import { useFrozen } from '../elements/frozen';
import { Problem } from '../elements/problem';
import type { Origin } from './origins';

/** The result as JSON has more. */
const MOST_SOURCES = 200;

/** Where each value of a typed result was read; asked for when somebody opens it. */
export function ResultSources({ sessionId }: { sessionId: string }) {
  const frozen = useFrozen();
  const [isOpen, setOpen] = useState(false);
  const { data, error } = useQuery({
    queryKey: ['result', sessionId],
    queryFn: async () => (await client.showResult(sessionId)).sources,
    enabled: isOpen && frozen === undefined,
  });
  const sources = frozen === undefined ? data : (frozen.sources ?? []);
  return (
    <details className="more sources" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Where each value was read</summary>
      <Problem error={error} />
      {sources !== undefined && <Sources of={sources} />}
    </details>
  );
}

function Sources({ of }: { of: readonly ResultSource[] }) {
  if (of.length === 0) return <p className="quiet">No value of it was read from a page.</p>;
  return (
    <div className="scroll">
      <table>
        <thead>
          <tr>
            <th>Value</th>
            <th>Text on the page</th>
            <th>Page</th>
            <th>Element</th>
          </tr>
        </thead>
        <tbody>
          {of.slice(0, MOST_SOURCES).map(({ path, text, url, selector, attribute }) => (
            <tr key={path}>
              <td>{path}</td>
              <td>{text}</td>
              <td>{url}</td>
              <td>
                <code>{attribute === undefined ? selector : `${selector} ${attribute}`}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {of.length > MOST_SOURCES && <p className="quiet">{of.length - MOST_SOURCES} more are in the result as JSON.</p>}
    </div>
  );
}

/** A saved value, with the step, page and command that read it. */
export function SavedValue({ value, origin }: { value: string; origin: Origin | undefined }) {
  if (origin === undefined) return value;
  const { stepIndex, page, command } = origin;
  const where = [
    ...(stepIndex === undefined ? [] : [`step ${stepIndex + 1}`]),
    ...(page === undefined ? [] : [page]),
    ...(command === undefined ? [] : [command]),
  ];
  return (
    <>
      {value}
      {where.length > 0 && <span className="quiet origin">from {where.join(', ')}</span>}
    </>
  );
}
