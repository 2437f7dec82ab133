import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Age } from '../elements/age';
import { dollars } from './money';
import { Panel } from './panel';
import type { Figures } from './queries';

/** Failed sessions by error code, each with what to do and its newest session. */
export function Failures({ of }: { of: Figures['failures'] }) {
  return (
    <section className="card wide" aria-label="Failures by error code">
      <h2>Failures by error code</h2>
      {of.length === 0 ? (
        <p className="quiet">No session has failed in this time.</p>
      ) : (
        <ul className="failures">
          {of.map(({ code, count, newestSessionId, newestAt, newestMessage, suggestedAction }) => (
            <li key={code}>
              <p>
                <strong>
                  {count.toLocaleString()} × {code === 'none' ? 'without a code' : code}
                </strong>{' '}
                <span className="quiet">
                  <Link href={`/sessions/${newestSessionId}`}>the newest</Link>, <Age since={newestAt} /> ago
                </span>
              </p>
              <p className="quiet message">{newestMessage}</p>
              {suggestedAction !== undefined && <p className="what-to-do">{withCode(suggestedAction)}</p>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** What stands between backticks is a command or a setting. */
function withCode(text: string): ReactNode[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}

/** What each model has cost. */
export function Spent({ of }: { of: Figures['spent'] }) {
  return (
    <Panel
      title="Cost by model"
      none="No model was called in this time."
      columns={['Model', 'Calls', 'Failed', 'Tokens', 'Cost']}
      rows={of.map(({ model, calls, failedCalls, tokens, cost, unpricedCalls }) => [
        model,
        calls.toLocaleString(),
        failedCalls.toLocaleString(),
        tokens.toLocaleString(),
        unpricedCalls === 0 ? dollars(cost) : `${dollars(cost)} and ${unpricedCalls} without a known price`,
      ])}
    />
  );
}
