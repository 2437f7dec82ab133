import { Facts } from '../elements/facts';
import { isOver, type Details } from '../connection/details';
import { useFrozen } from '../elements/frozen';
import type { Log } from './events';
import { useFiles } from './film';
import { Proposals } from './proposals';
import { ResultSources, SavedValue } from './result-sources';
import { TimeBar } from './time-bar';

/** What came of the session: error with what to do, answer, result, saved values, files and what it used. */
export function Outcome({ details, log }: { details: Details; log: Log }) {
  const { session, error, answer, result, variables, usage, budget } = details;
  const files = useFiles(details);
  const isFrozen = useFrozen() !== undefined;
  const { times, origins, taskEnd } = log.shown;
  const saved = variables.filter(({ source }) => source !== 'user_input');
  const given = variables.filter(({ source }) => source === 'user_input');
  return (
    <>
      {error !== null && (
        <section className="card failure" aria-label="Error">
          <h2>
            {error.code}: {error.message}
          </h2>
          {error.suggestedAction !== undefined && <p>{error.suggestedAction}</p>}
          <Proposals details={details} />
          {error.details !== undefined && (
            <details>
              <summary>Details</summary>
              <pre>{JSON.stringify(error.details, null, 2)}</pre>
            </details>
          )}
        </section>
      )}
      {(answer !== null || result !== null || saved.length > 0 || files.length > 0) && (
        <section className="card" aria-label="Result">
          <h2>Result</h2>
          {answer !== null && <p className="answer">{answer}</p>}
          {answer !== null && taskEnd?.evidence !== undefined && <p className="quiet">By: “{taskEnd.evidence}”</p>}
          {result !== null && result !== undefined && (
            <>
              <pre>{JSON.stringify(result, null, 2)}</pre>
              <ResultSources sessionId={session.sessionId} />
            </>
          )}
          <Facts
            of={saved.map(
              ({ name, value }) => [name, <SavedValue value={value} origin={origins.byName.get(name)} />] as const,
            )}
          />
          {files.length > 0 && (
            <ul className="files">
              {files.map(({ fileId, name, bytes }) => (
                <li key={fileId}>
                  {isFrozen ? (
                    name
                  ) : (
                    <a href={`/v1/sessions/${session.sessionId}/files/${encodeURIComponent(fileId)}`}>{name}</a>
                  )}{' '}
                  <span className="quiet">{bytes.toLocaleString()} bytes</span>
                </li>
              ))}
            </ul>
          )}
        </section>
      )}
      <section className="card" aria-label="Given and used">
        <h2>Given and used</h2>
        <Facts
          of={[
            ...given.map(({ name, value }) => [name, value] as const),
            ['Model calls', usage.calls === 0 ? 'none' : usage.calls],
            [
              'Tokens',
              usage.calls > 0 && `${usage.inputTokens.toLocaleString()} in, ${usage.outputTokens.toLocaleString()} out`,
            ],
            [
              'Cost',
              `$${usage.cost}${usage.unpricedCalls > 0 ? ` and ${usage.unpricedCalls} calls without a known price` : ''}`,
            ],
            ['Budget', budget === null ? '' : JSON.stringify(budget)],
          ]}
        />
        <TimeBar times={times} isOver={isOver(details)} />
      </section>
    </>
  );
}
