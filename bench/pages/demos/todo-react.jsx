import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import 'todomvc-app-css/index.css';

// `?filled` begins with two items.
const FIRST =
  location.search === '?filled'
    ? [
        { id: -2, title: 'Milk', done: true },
        { id: -1, title: 'Bread', done: false },
      ]
    : [];
let next = 1;

function Item({ todo, change, remove }) {
  const [draft, setDraft] = useState(null);
  const save = () => {
    if (draft !== null && draft.trim() !== '') change({ title: draft.trim() });
    setDraft(null);
  };
  return (
    <li className={`${todo.done ? 'completed' : ''} ${draft === null ? '' : 'editing'}`}>
      <div className="view">
        <input className="toggle" type="checkbox" checked={todo.done} onChange={() => change({ done: !todo.done })} />
        <label onDoubleClick={() => setDraft(todo.title)}>{todo.title}</label>
        <button className="destroy" onClick={remove} />
      </div>
      {draft !== null && (
        <input
          className="edit"
          autoFocus
          value={draft}
          onChange={({ target }) => setDraft(target.value)}
          onBlur={save}
          onKeyDown={({ key }) => (key === 'Enter' ? save() : key === 'Escape' && setDraft(null))}
        />
      )}
    </li>
  );
}

function App() {
  const [todos, setTodos] = useState(FIRST);
  const [title, setTitle] = useState('');
  const [shown, setShown] = useState('All');
  globalThis.truth = () => ({ todos: todos.map((todo) => `${todo.done ? 'x' : '-'} ${todo.title}`), shown });
  const visible = todos.filter(({ done }) => shown === 'All' || (shown === 'Completed') === done);
  const left = todos.filter(({ done }) => !done).length;
  const change = (id) => (part) => setTodos(todos.map((todo) => (todo.id === id ? { ...todo, ...part } : todo)));
  return (
    <section className="todoapp">
      <header className="header">
        <h1>todos</h1>
        <input
          className="new-todo"
          placeholder="What needs to be done?"
          value={title}
          onChange={({ target }) => setTitle(target.value)}
          onKeyDown={({ key }) => {
            if (key !== 'Enter' || title.trim() === '') return;
            setTodos([...todos, { id: next++, title: title.trim(), done: false }]);
            setTitle('');
          }}
        />
      </header>
      {todos.length > 0 && (
        <section className="main">
          <input
            id="toggle-all"
            className="toggle-all"
            type="checkbox"
            checked={left === 0}
            onChange={() => setTodos(todos.map((todo) => ({ ...todo, done: left > 0 })))}
          />
          <label htmlFor="toggle-all">Mark all as complete</label>
          <ul className="todo-list">
            {visible.map((todo) => (
              <Item
                key={todo.id}
                todo={todo}
                change={change(todo.id)}
                remove={() => setTodos(todos.filter(({ id }) => id !== todo.id))}
              />
            ))}
          </ul>
        </section>
      )}
      {todos.length > 0 && (
        <footer className="footer">
          <span className="todo-count">{left} left</span>
          <ul className="filters">
            {['All', 'Active', 'Completed'].map((each) => (
              <li key={each}>
                <a href={`#/${each}`} className={each === shown ? 'selected' : ''} onClick={() => setShown(each)}>
                  {each}
                </a>
              </li>
            ))}
          </ul>
          {left < todos.length && (
            <button className="clear-completed" onClick={() => setTodos(todos.filter(({ done }) => !done))}>
              Clear completed
            </button>
          )}
        </footer>
      )}
    </section>
  );
}

createRoot(document.getElementById('root')).render(<App />);
