import type { UnknownOutcome } from '../../contracts/approvals/unknown-outcome';
import { useAct } from '../connection/act';
import { client } from '../connection/client';
import { Problem } from '../elements/problem';
import { Facts } from './facts';

const DELIVERED = {
  true: 'yes: it speaks for that it happened',
  false: 'no trace of it: the document is gone, or was never reached',
  undefined: 'nobody knows: the browser was lost',
};

/** A click or key press of which nothing shows whether it happened: the evidence, and a person's answer. */
export function UnknownCard({
  sessionId,
  unknown,
  message,
}: {
  sessionId: string;
  unknown: UnknownOutcome;
  message: string;
}) {
  const { act, isOff, error } = useAct(sessionId);
  const { commandId, action, what, urlBefore, urlAfter, requests, eventDelivered, witnesses } = unknown;
  const answer = (happened: boolean) => act(() => client.resolveUnknown(sessionId, { commandId, happened }));
  return (
    <section className="card question" aria-label="Question: did it happen?">
      <h2>Did this happen? {what}</h2>
      <p>{message}</p>
      <Facts
        of={[
          ['Command', action],
          ['The page has seen its event', DELIVERED[`${eventDelivered}`]],
          ['Page before', urlBefore],
          ['Page now', urlAfter],
          ['Known otherwise', witnesses],
          ...requests.map(
            ({ method, url, status, failure }) =>
              ['Request since', `${method} ${url} → ${status ?? failure ?? 'no answer'}`] as const,
          ),
        ]}
      />
      <p className="hint">Look for the effect first, such as the order in the shop. The first answer counts.</p>
      <Problem error={error} />
      <div className="together answers">
        <button disabled={isOff} onClick={() => answer(true)}>
          It happened: go on
        </button>
        <button className="danger" disabled={isOff} onClick={() => answer(false)}>
          It did not: do it again
        </button>
      </div>
    </section>
  );
}
