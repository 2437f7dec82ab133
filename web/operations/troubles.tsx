import { Link } from 'wouter';
import type { Figures } from './queries';

/** What is wrong, the worst first, each with what to do. */
export function Troubles({ of }: { of: Figures['troubles'] }) {
  return (
    <section aria-label="Troubles" aria-live="polite">
      {of.length === 0 ? (
        <p className="card all-well">
          <span className="badge good">All is well</span> Nothing needs you.
        </p>
      ) : (
        <ul className="troubles">
          {of.map(({ kind, severity, message, action, path }) => (
            <li key={kind + message} className={`card ${severity}`}>
              <p>
                <span className={`badge ${severity === 'bad' ? 'bad' : 'waiting'}`}>
                  {severity === 'bad' ? 'Broken' : 'Look'}
                </span>{' '}
                <strong>{message}</strong>
              </p>
              <p className="what-to-do">
                {action} {path !== undefined && <Link href={path}>Show them</Link>}
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
