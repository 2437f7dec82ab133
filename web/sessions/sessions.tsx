import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { useTitle } from '../connection/waiting';
import { useIsNarrow } from '../elements/narrow';
import { Problem } from '../elements/problem';
import { useSessionFilter } from './filter';
import { PAGE_SIZE, useSessionPages } from './pages';
import { SessionRow } from './row';
import { Toolbar } from './toolbar';

/** Every row is as high as the style sheet says, so that none has to be measured. */
const ROW_PX = { wide: 60, narrow: 92 };

/** The sessions, live. Only the rows on the screen are read and drawn, so that ten thousand are as quick as ten. */
export function Sessions() {
  useTitle('Sessions');
  const choices = useSessionFilter();
  const list = useRef<HTMLUListElement>(null);
  const [known, setKnown] = useState(0);
  const isNarrow = useIsNarrow();
  const virtual = useWindowVirtualizer({
    count: known,
    estimateSize: () => (isNarrow ? ROW_PX.narrow : ROW_PX.wide),
    overscan: 10,
    scrollMargin: list.current?.offsetTop ?? 0,
  });
  useEffect(() => virtual.measure(), [virtual, isNarrow]);
  const shown = virtual.getVirtualItems();
  const pages = [
    ...new Set([shown[0]?.index ?? 0, shown.at(-1)?.index ?? 0].map((index) => Math.floor(index / PAGE_SIZE))),
  ];
  const { total, readAt, row, error } = useSessionPages(choices.filter, pages);
  // A page that is kept from before has an older total: going by it would lead back to the pages with the newer one.
  const newest = useRef(0);
  useEffect(() => {
    if (total === undefined || readAt < newest.current) return;
    newest.current = readAt;
    setKnown(total);
  }, [total, readAt]);
  return (
    <>
      <h1 className="unseen">Sessions</h1>
      <Toolbar {...choices} total={total} />
      <Problem error={error} />
      {total === 0 && <Nothing isFiltered={choices.show !== 'all' || choices.q !== ''} />}
      <ul ref={list} className="rows" style={{ height: virtual.getTotalSize() }} aria-label="Sessions">
        {shown.map(({ index, start, key }) => {
          const session = row(index);
          return (
            <li
              key={key}
              aria-setsize={known}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start - virtual.options.scrollMargin}px)` }}
            >
              {session === undefined ? <span className="row quiet">Loading…</span> : <SessionRow row={session} />}
            </li>
          );
        })}
      </ul>
    </>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  return (
    <div className="nothing">
      <h2>{isFiltered ? 'No session fits' : 'There are no sessions yet'}</h2>
      <p className="quiet">
        {isFiltered
          ? 'Choose “All”, or search for something else.'
          : 'Start one here, with surefoot run in a terminal, or by POST /v1/sessions.'}
      </p>
    </div>
  );
}
