import { useEffect, useRef, type KeyboardEvent } from 'react';
import type { PageAsk, PersonAct } from '../../contracts/browsers/takeover';

/** As many options are in sight at once. */
const MOST_IN_SIGHT = 10;

interface AskProps<Kind extends PageAsk['kind']> {
  asks: Extract<PageAsk, { kind: Kind }>;
  act: (act: PersonAct) => void;
}

/** What the page asks the person who has it, and a browser of their own would draw. */
export function TakeoverAsk({ asks, act, onLeave }: AskProps<PageAsk['kind']> & { onLeave: () => void }) {
  return <DrawnList key={asks.ask} asks={asks} act={act} onLeave={onLeave} />;
}

/** The options of a `<select>`: a click or Enter chooses, Escape leaves it as it is. */
function DrawnList({ asks: { ask, name, options }, act, onLeave }: AskProps<'list'> & { onLeave: () => void }) {
  const list = useRef<HTMLSelectElement>(null);
  useEffect(() => list.current?.focus(), []);
  const choose = (): void => {
    const option = list.current!.selectedIndex;
    if (option !== -1) act({ kind: 'choose', ask, option });
    onLeave();
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') choose();
    else if (event.key === 'Escape') onLeave();
    else return;
    event.preventDefault();
  };
  return (
    <label className="page-ask">
      Choose {name === '' ? 'one' : `“${name}”`}: a click or Enter chooses, Escape leaves it as it is
      <select
        ref={list}
        size={Math.max(2, Math.min(MOST_IN_SIGHT, options.length))}
        defaultValue={Math.max(
          0,
          options.findIndex(({ isChosen }) => isChosen),
        )}
        onKeyDown={press}
      >
        {options.map(({ label, isDisabled }, place) => (
          <option key={place} value={place} disabled={isDisabled} onClick={choose}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
