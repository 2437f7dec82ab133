import type { UnknownOutcome } from '../../contracts/approvals/unknown-outcome';
import { useAct } from '../connection/act';
import { client } from '../connection/client';
import { Problem } from '../elements/problem';
import { Screenshot, usePictures } from '../connection/screenshot';
import { evidenceOf } from './evidence';
import { Facts } from '../elements/facts';

/** A click or key press of which nothing shows whether it happened: the evidence for and against, and a person's answer. */
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
  const { commandId, action, what, urlBefore, urlAfter, witnesses } = unknown;
  const { speaksFor, speaksAgainst } = evidenceOf(unknown);
  const answer = (happened: boolean) => act(() => client.resolveUnknown(sessionId, { commandId, happened }));
  return (
    <section className="card question" aria-label="Question: did it happen?" tabIndex={-1}>
      <h2>Did this happen? {what}</h2>
      <p>{message}</p>
      <div className="seen">
        <LastPicture sessionId={sessionId} />
        <div>
          <div className="evidence">
            <Evidence title="Speaks for it" of={speaksFor} />
            <Evidence title="Speaks against it" of={speaksAgainst} />
          </div>
          <Facts
            of={[
              ['Command', action],
              ['Page before', urlBefore],
              ['Page now', urlAfter],
              ['Known otherwise', witnesses],
            ]}
          />
        </div>
      </div>
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

function Evidence({ title, of }: { title: string; of: readonly string[] }) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {of.length === 0 ? (
        <p className="quiet">Nothing.</p>
      ) : (
        <ul>
          {of.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

function LastPicture({ sessionId }: { sessionId: string }) {
  const { data = [] } = usePictures(sessionId);
  const last = data.at(-1);
  if (last === undefined) return null;
  return (
    <Screenshot sessionId={sessionId} id={last.id} alt={`The last picture of the page, after ${last.actionType}`} />
  );
}
