import { lazy, Suspense, type ReactNode } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { MayOnlyLookNotice, OutageNotice } from './connection/notices';
import { SignInForm, useSignIn } from './connection/sign-in';
import { useNotification, useWaitingCount } from './connection/waiting';
import { Sessions } from './sessions/sessions';

// Each view is read when it is first opened.
const Session = lazy(() => import('./session/session.js').then(({ Session: view }) => ({ default: view })));
const Waiting = lazy(() => import('./answers/waiting.js').then(({ WaitingView: view }) => ({ default: view })));
const Question = lazy(() => import('./session/question-view.js').then(({ QuestionView: view }) => ({ default: view })));
const Schedules = lazy(() => import('./schedules/schedules.js').then(({ Schedules: view }) => ({ default: view })));
const Operations = lazy(() => import('./operations/operations.js').then(({ Operations: view }) => ({ default: view })));
const Start = lazy(() => import('./start/start.js').then(({ Start: view }) => ({ default: view })));

/** The page: its frame, and the view of its address. */
export function App({ signInProblem }: { signInProblem: string | undefined }) {
  const signIn = useSignIn();
  const isOut = signIn?.state === 'signed-out';
  return (
    <>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <header className="top">
        <Link href="/" className="brand">
          Surefoot
        </Link>
        {!isOut && <Navigation />}
      </header>
      <OutageNotice />
      <MayOnlyLookNotice problem={signInProblem} />
      <main id="content" tabIndex={-1}>
        {isOut ? (
          <section className="narrow">
            <h1>Sign in</h1>
            {signInProblem !== undefined && <p className="bad">{signInProblem}</p>}
            <SignInForm signsInWith="token" />
          </section>
        ) : (
          signIn !== undefined && <View />
        )}
      </main>
    </>
  );
}

function View() {
  return (
    <Suspense fallback={<p className="quiet">Loading…</p>}>
      <Switch>
        <Route path="/" component={Sessions} />
        <Route path="/waiting" component={Waiting} />
        <Route path="/waiting/:id/:approval?">
          {({ id, approval }) => <Question key={`${id} ${approval}`} sessionId={id} approvalId={approval} />}
        </Route>
        <Route path="/start" component={Start} />
        <Route path="/operations" component={Operations} />
        <Route path="/schedules/:id?">{({ id }) => <Schedules openId={id} />}</Route>
        <Route path="/sessions/:id">{({ id }) => <Session key={id} id={id} />}</Route>
        <Route>
          <h1>There is no such view</h1>
          <p>
            <Link href="/">All sessions</Link>
          </p>
        </Route>
      </Switch>
    </Suspense>
  );
}

function Navigation() {
  const waiting = useWaitingCount();
  const [path] = useLocation();
  useNotification(waiting);
  return (
    <nav aria-label="Views">
      <Tab href="/" path={path}>
        Sessions
      </Tab>
      <Tab href="/waiting" path={path}>
        Waiting {waiting !== undefined && waiting > 0 && <span className="count">{waiting}</span>}
      </Tab>
      <Tab href="/start" path={path}>
        Start
      </Tab>
      <Tab href="/schedules" path={path}>
        Schedules
      </Tab>
      <Tab href="/operations" path={path}>
        Operations
      </Tab>
    </nav>
  );
}

function Tab({ href, path, children }: { href: string; path: string; children: ReactNode }) {
  return (
    <Link
      href={href}
      aria-current={path === href || (href !== '/' && path.startsWith(`${href}/`)) ? 'page' : undefined}
    >
      {children}
    </Link>
  );
}
