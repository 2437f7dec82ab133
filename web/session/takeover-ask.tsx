import { useMutation } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import type { PageAsk, PersonAct } from '../../contracts/browsers/takeover';
import { client } from '../connection/client';
import { Problem } from '../elements/problem';

/** As many options are in sight at once. */
const MOST_IN_SIGHT = 10;

interface AskProps<Kind extends PageAsk['kind']> {
  asks: Extract<PageAsk, { kind: Kind }>;
  act: (act: PersonAct) => void;
}

/** What the page asks the person who has it, and a browser of their own would draw. */
export function TakeoverAsk({ asks, act, onLeave }: AskProps<PageAsk['kind']> & { onLeave: () => void }) {
  switch (asks.kind) {
    case 'list':
      return <DrawnList key={asks.ask} asks={asks} act={act} onLeave={onLeave} />;
    case 'files':
      return <FileChooser key={asks.ask} asks={asks} act={act} />;
    case 'copied':
      return <Copied key={asks.ask} asks={asks} />;
    case 'dialog':
      return asks.accepted === undefined ? (
        <WaitingDialog key={`waits-${asks.ask}`} asks={asks} act={act} />
      ) : (
        <AnsweredDialog key={asks.ask} asks={asks} act={act} />
      );
  }
}

function FileChooser({ asks: { ask, name, isMultiple, accepts }, act }: AskProps<'files'>) {
  const { mutate, isPending, error } = useMutation({
    async mutationFn(given: readonly File[]) {
      const stored = await Promise.all(given.map((file) => client.uploadFile(file)));
      act({ kind: 'files', ask, files: stored.map(({ fileId }) => fileId) });
    },
  });
  return (
    <>
      <label className="page-ask">
        The page asks for {isMultiple ? 'files' : 'a file'}
        {name === '' ? '' : ` for “${name}”`}; what you do in it next takes its question away
        <input
          type="file"
          multiple={isMultiple}
          accept={accepts}
          disabled={isPending}
          onChange={({ target: { files } }) => files !== null && files.length > 0 && mutate([...files])}
        />
      </label>
      <Problem error={error} />
    </>
  );
}

/** Puts what was copied into the reader's own clipboard; where the browser refuses that, they take it from here. */
function Copied({ asks: { text } }: Pick<AskProps<'copied'>, 'asks'>) {
  const [isTaken, setTaken] = useState<boolean>();
  useEffect(() => {
    // Without a secure origin there is no clipboard.
    const clipboard = navigator.clipboard as Clipboard | undefined;
    if (clipboard === undefined) setTaken(false);
    else
      void clipboard.writeText(text).then(
        () => setTaken(true),
        () => setTaken(false),
      );
  }, [text]);
  if (isTaken === undefined) return null;
  if (isTaken)
    return (
      <p className="quiet" role="status">
        Copied to your clipboard: {text.length.toLocaleString()} characters.
      </p>
    );
  return (
    <label className="page-ask">
      What you have copied from the page; your browser does not let it into your clipboard by itself
      <textarea readOnly value={text} onFocus={({ target }) => target.select()} />
    </label>
  );
}

/** A dialog holds the page until the person answers it, in their own words where it asks for some. */
function WaitingDialog({ asks: { ask, type, message, until }, act }: AskProps<'dialog'>) {
  const [text, setText] = useState('');
  const [isGiven, setGiven] = useState(false);
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('input, button')?.focus(), []);
  const answer = (accept: boolean): void => {
    setGiven(true);
    act({ kind: 'dialog', ask, accept, ...(accept && type === 'prompt' ? { text } : {}) });
  };
  function submit(event: FormEvent): void {
    event.preventDefault();
    answer(true);
  }
  const [yes, no] = type === 'beforeunload' ? ['Leave the page', 'Stay on it'] : ['OK', 'Cancel'];
  return (
    <div role="alertdialog" aria-labelledby={id} className="page-ask">
      <p id={id}>
        {type === 'beforeunload' ? 'The page asks whether you want to leave it' : `The page says: ${message}`}
      </p>
      <form ref={form} onSubmit={submit}>
        {type === 'prompt' && (
          <label>
            Your answer
            <input value={text} onChange={({ target }) => setText(target.value)} />
          </label>
        )}
        <div className="together">
          <button className="primary" disabled={isGiven}>
            {yes}
          </button>
          {type !== 'alert' && (
            <button type="button" disabled={isGiven} onClick={() => answer(false)}>
              {no}
            </button>
          )}
        </div>
      </form>
      {until !== undefined && (
        <p className="quiet">
          Not answered by {new Date(until).toLocaleTimeString()}, it gets “
          {type === 'alert' || type === 'beforeunload' ? yes : no}”.
        </p>
      )}
    </div>
  );
}

/** It was answered as always; the person gives an answer for when they do it again. */
function AnsweredDialog({ asks: { type, message, accepted }, act }: AskProps<'dialog'>) {
  const [text, setText] = useState('');
  const [given, setGiven] = useState(false);
  const isQuestion = type === 'confirm' || type === 'prompt';
  const answer = (): void => {
    setGiven(true);
    act({ kind: 'dialog', accept: true, ...(type === 'prompt' ? { text } : {}) });
  };
  return (
    <div className="page-ask">
      <p role="status">
        The page {isQuestion ? 'asked' : 'said'} “{message}”
        {isQuestion && (accepted === true ? ', and it was answered with OK.' : ', and it was answered with Cancel.')}
      </p>
      {isQuestion && accepted !== true && !given && (
        <>
          {type === 'prompt' && (
            <label>
              Your answer
              <input value={text} onChange={({ target }) => setText(target.value)} />
            </label>
          )}
          <button onClick={answer}>Answer OK when I do it again</button>
        </>
      )}
    </div>
  );
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
