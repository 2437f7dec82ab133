import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Period } from '../../contracts/modules/operations';
import { durationText } from '../elements/age';
import { dollars } from './money';
import type { Figures } from './queries';

const LAST: Record<Period, string> = { day: 'in 24 hours', week: 'in 7 days', month: 'in 30 days' };

/** The few figures that are looked at first. */
export function Numbers({ figures, period }: { figures: Figures; period: Period }) {
  const { hosts, queue, sessions, history } = figures;
  const up = hosts.filter(({ reports }) => reports);
  const sum = (read: (of: (typeof history)[number]) => number): number =>
    history.reduce((total, slot) => total + read(slot), 0);
  const failed = sum((slot) => slot.failed);
  const ended = failed + sum((slot) => slot.completed + slot.cancelled);
  const people = sessions.waitingForPerson.reduce((total, { count }) => total + count, 0);
  return (
    <dl className="numbers">
      <Figure name="Browsers in use" note={`of ${total(up, 'capacity')}`}>
        {total(up, 'browsers')}
      </Figure>
      <Figure
        name="Wait for a browser"
        note={queue.waiting === 0 ? 'no queue' : `the longest for ${durationText(queue.longestWaitMs)}`}
      >
        {queue.waiting}
      </Figure>
      <Figure name="Open sessions" note={<Link href="/?show=open">Show them</Link>}>
        {sessions.open}
      </Figure>
      <Figure name="Wait for a person" note={<Link href="/waiting">Answer</Link>}>
        {people}
      </Figure>
      <Figure
        name="Failed"
        note={
          <>
            of {ended.toLocaleString()} ended {LAST[period]}
          </>
        }
      >
        {failed.toLocaleString()}
      </Figure>
      <Figure name="Cost" note={LAST[period]}>
        {dollars(sum(({ cost }) => Number(cost)))}
      </Figure>
    </dl>
  );
}

function total(hosts: Figures['hosts'], name: 'browsers' | 'capacity'): number {
  return hosts.reduce((sum, host) => sum + host[name], 0);
}

function Figure({ name, note, children }: { name: string; note: ReactNode; children: ReactNode }) {
  return (
    <div className="card">
      <dt>{name}</dt>
      <dd>
        <span className="figure">{children}</span> <span className="quiet">{note}</span>
      </dd>
    </div>
  );
}
