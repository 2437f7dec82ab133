import './no-code-from-text';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { describeView } from '../contracts/browsers/approval-view';
import type { FrozenSession, FrozenUnknown, FrozenView } from '../contracts/events/frozen-session';
import type { Details } from './connection/details';
import { FrozenContext, timeText } from './elements/frozen';
import answers from './style/answers.css?inline';
import base from './style/base.css?inline';
import elements from './style/elements.css?inline';
import frozenStyle from './style/frozen.css?inline';
import pictures from './style/pictures.css?inline';
import session from './style/session.css?inline';
import timeBar from './style/time-bar.css?inline';
import { Recording, WithFilm } from './session/film';
import { Head } from './session/head';
import { Limits } from './session/limits';
import { addEvent, emptyShown } from './session/lines';
import { ModelCalls } from './session/model-calls';
import { Outcome } from './session/outcome';
import { Screenshot } from './connection/screenshot';
import { Timeline } from './session/timeline';

type Frozen = FrozenSession<Details>;

/** The view of a session for a file that needs nobody: `json` is a `FrozenSession`. */
export function renderFrozen(json: string): FrozenView {
  const frozen = JSON.parse(json) as Frozen;
  const { title, session: row } = frozen.details;
  return {
    title: `${title} · ${row.status}`,
    markup: renderToStaticMarkup(<View frozen={frozen} />),
    style: [base, elements, session, pictures, timeBar, answers, frozenStyle].join('\n'),
  };
}

function View({ frozen }: { frozen: Frozen }) {
  const { details, events, files } = frozen;
  const shown = emptyShown();
  // Times are dates in the log of a live view.
  for (const event of events) addEvent(shown, { ...event, timestamp: new Date(event.timestamp) });
  const log = { shown, isComplete: true, error: null };
  // What a live view asks for is there before it is asked for.
  const queries = new QueryClient();
  queries.setQueryData(['files', details.session.sessionId, true], files);
  return (
    <FrozenContext value={frozen}>
      <QueryClientProvider client={queries}>
        <WithFilm details={details}>
          <main>
            <Head details={details} />
            <Recording />
            <Outcome details={details} log={log} />
            <Asked frozen={frozen} />
            <Unknowns of={frozen.unknowns} />
            <Timeline details={details} log={log} />
            <ModelCalls sessionId={details.session.sessionId} />
            <Limits details={details} />
            <About frozen={frozen} />
          </main>
        </WithFilm>
      </QueryClientProvider>
    </FrozenContext>
  );
}

/** What people were asked, with what they were shown and what they said. */
function Asked({ frozen: { approvals, details } }: { frozen: Frozen }) {
  if (approvals.length === 0) return null;
  return (
    <section className="card" aria-label="Approvals">
      <h2>Approvals</h2>
      {approvals.map(
        ({
          approvalId,
          card,
          status,
          by,
          reason,
          decidedAt,
          askedAt,
          toolName,
          args,
          view,
          classification,
          pageUrl,
          screenshotId,
        }) => (
          <article key={approvalId}>
            <h3>
              {card.title} <span className="badge">{status}</span>
            </h3>
            <p className="quiet">
              Asked {timeText(askedAt)} because the call is {classification}
              {decidedAt !== undefined && `; decided ${timeText(decidedAt)}`}
              {by !== undefined && ` by ${by}`}
              {reason !== undefined && reason !== '' && `: ${reason}`}
            </p>
            {view !== undefined && describeView(view).map((sentence) => <p key={sentence}>{sentence}</p>)}
            <p>
              <code>
                {toolName} {JSON.stringify(args)}
              </code>
              {pageUrl !== undefined && ` on ${pageUrl}`}
            </p>
            <Screenshot sessionId={details.session.sessionId} id={screenshotId} alt="What the person was shown" />
          </article>
        ),
      )}
    </section>
  );
}

/** Commits whose end nobody saw, with what was seen since and how that was resolved. */
function Unknowns({ of }: { of: readonly FrozenUnknown[] }) {
  if (of.length === 0) return null;
  return (
    <section className="card" aria-label="What was unknown">
      <h2>What was unknown</h2>
      {of.map(({ stepIndex, what, message = '', requests, resolution }, index) => (
        <article key={index}>
          <p>
            Step {stepIndex + 1}: nobody saw how <code>{what}</code> ended. {message}
          </p>
          <p className="quiet">
            {requests.length === 0
              ? 'No request was seen since.'
              : `Requests since: ${requests.map(({ method, url, status, failure }) => `${method} ${url} ${status ?? failure ?? 'no answer'}`).join(', ')}`}
          </p>
          <p>{resolutionText(resolution)}</p>
        </article>
      ))}
    </section>
  );
}

const RESOLVED_BY = {
  model: 'The model judged by the page',
  person: 'A person said',
  check: 'The site showed',
} as const;

function resolutionText(resolution: FrozenUnknown['resolution']): string {
  if (resolution === undefined) return 'It was not resolved.';
  const { by, happened, at, seen } = resolution;
  const said = `${RESOLVED_BY[by]} that it ${happened ? 'happened, so it was not repeated' : 'did not happen'} (${timeText(at)}).`;
  return seen === undefined ? said : `${said} ${seen}`;
}

function About({ frozen: { notes, madeAt, models } }: { frozen: Frozen }) {
  return (
    <footer className="quiet">
      {models.length > 0 && <p>Led by {models.join(', ')}.</p>}
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      <p>
        Made {timeText(madeAt)} by Surefoot from the log of the session; it shows no secrets and asks nobody for
        anything.
      </p>
    </footer>
  );
}
