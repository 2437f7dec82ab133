import { lazy, Suspense, type ReactNode } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { MayOnlyLookNotice, OutageNotice } from './connection/notices';
import { SignInForm, useSignIn } from './connection/sign-in';
import { useTitle, useWaitingCount } from './connection/waiting';
import { Sessions } from './sessions/sessions';

const Session = lazy(() => import('./session/session.js').then(({ Session: view }) => ({ default: view })));

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
  useTitle('Sessions', waiting);
  return (
    <nav aria-label="Views">
      <Tab href="/" path={path}>
        Sessions
      </Tab>
    </nav>
  );
}

function Tab({ href, path, children }: { href: string; path: string; children: ReactNode }) {
  return (
    <Link href={href} aria-current={path === href ? 'page' : undefined}>
      {children}
    </Link>
  );
}
