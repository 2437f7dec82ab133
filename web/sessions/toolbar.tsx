import { useEffect, useRef } from 'react';
import { SHOWN, SORTS, type useSessionFilter } from './filter';

/** What the list shows, in which order, and the search; `/` leads into it. */
export function Toolbar({
  show,
  sort,
  q,
  choose,
  total,
}: ReturnType<typeof useSessionFilter> & { total: number | undefined }) {
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test((event.target as Element).tagName);
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      search.current?.focus();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <search className="toolbar">
      <input
        ref={search}
        type="search"
        aria-label="Search by name, first step or id"
        placeholder="Name, first step or id ( / )"
        value={q}
        onChange={(event) => choose('q', event.target.value)}
      />
      <div className="choices" role="group" aria-label="Show">
        {Object.entries(SHOWN).map(([name, { label }]) => (
          <button key={name} type="button" aria-pressed={show === name} onClick={() => choose('show', name)}>
            {label}
          </button>
        ))}
      </div>
      <select aria-label="Order" value={sort} onChange={(event) => choose('sort', event.target.value)}>
        {Object.entries(SORTS).map(([name, label]) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
      <output className="quiet">
        {total === undefined ? '' : `${total.toLocaleString()} ${total === 1 ? 'session' : 'sessions'}`}
      </output>
    </search>
  );
}
