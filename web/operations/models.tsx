import { durationText } from '../elements/age';
import { Facts } from '../elements/facts';
import { useNow } from '../elements/now';
import type { Figures } from './queries';

const STATES = {
  open: { text: 'Not called', tone: 'bad' },
  trying: { text: 'The next call tries it', tone: 'waiting' },
  closed: { text: 'Called, with outages', tone: 'waiting' },
};

/** The breakers of models, and how much of each key's rate limit is used. */
export function Models({ figures: { models, rates, limits } }: { figures: Figures }) {
  const { requestsPerMinute, tokensPerMinute, breakerFailures, breakerOpenMs } = limits;
  const now = useNow();
  return (
    <section className="card" aria-label="Models">
      <h2>Models</h2>
      {models.length === 0 ? (
        <p>
          <span className="badge good">No breaker is open</span>
        </p>
      ) : (
        <ul className="breakers">
          {models.map(({ model, state, failures, openUntil }) => (
            <li key={model}>
              <strong>{model}</strong> <span className={`badge ${STATES[state].tone}`}>{STATES[state].text}</span>{' '}
              <span className="quiet">
                {failures} {failures === 1 ? 'outage' : 'outages'}
                {state === 'open' &&
                  openUntil !== undefined &&
                  `, again in ${durationText(new Date(openUntil).getTime() - now)}`}
              </span>
            </li>
          ))}
        </ul>
      )}
      {rates.map(({ models: called, calls, tokens, waiting, lastPlaceInMs }, index) => (
        <p key={index}>
          {called.length === 0 ? 'A key' : called.join(', ')}: {used(calls, requestsPerMinute, 'calls')} and{' '}
          {used(tokens, tokensPerMinute, 'tokens')} in the last minute
          {waiting > 0 && `; ${waiting} wait, the last for ${durationText(lastPlaceInMs ?? 0)}`}
        </p>
      ))}
      <Facts
        of={[
          ['Calls a minute', requestsPerMinute === 0 ? 'no limit' : requestsPerMinute.toLocaleString()],
          ['Tokens a minute', tokensPerMinute === 0 ? 'no limit' : tokensPerMinute.toLocaleString()],
          [
            'A breaker opens',
            breakerFailures === 0
              ? 'never'
              : `after ${breakerFailures} outages in a minute, for ${durationText(breakerOpenMs)}`,
          ],
        ]}
      />
      <p className="hint">Limits as the environment of this API has them: SUREFOOT_MODEL_….</p>
    </section>
  );
}

function used(amount: number, limit: number, unit: string): string {
  return `${amount.toLocaleString()} ${limit === 0 ? unit : `of ${limit.toLocaleString()} ${unit}`}`;
}
