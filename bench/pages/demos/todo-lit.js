// A web component: everything lies in a shadow tree.
import { css, html, LitElement } from 'lit';

// `?filled` begins with two items.
const FIRST =
  location.search === '?filled'
    ? [
        { id: -2, title: 'Milk', done: true },
        { id: -1, title: 'Bread', done: false },
      ]
    : [];

class TodoApp extends LitElement {
  static properties = { todos: { state: true }, shown: { state: true }, edited: { state: true } };
  static styles = css`
    .completed label {
      text-decoration: line-through;
    }
    .destroy::after {
      content: '×';
    }
  `;
  next = 1;

  constructor() {
    super();
    Object.assign(this, { todos: FIRST, shown: 'All', edited: null });
  }

  change(todo, part) {
    this.todos = this.todos.map((other) => (other.id === todo.id ? { ...other, ...part } : other));
  }
  add({ key, target }) {
    if (key !== 'Enter' || target.value.trim() === '') return;
    this.todos = [...this.todos, { id: this.next++, title: target.value.trim(), done: false }];
    target.value = '';
  }
  save(todo, value) {
    if (this.edited === todo.id && value.trim() !== '') this.change(todo, { title: value.trim() });
    this.edited = null;
  }
  updated() {
    this.renderRoot.querySelector('.edit')?.focus();
  }
  item(todo) {
    const edit = html`<input
      class="edit"
      .value=${todo.title}
      @blur=${({ target }) => this.save(todo, target.value)}
      @keydown=${({ key, target }) => key === 'Enter' && this.save(todo, target.value)}
    />`;
    return html`<li class=${todo.done ? 'completed' : ''}>
      <input
        class="toggle"
        type="checkbox"
        .checked=${todo.done}
        @change=${() => this.change(todo, { done: !todo.done })}
      />
      <label @dblclick=${() => (this.edited = todo.id)}>${todo.title}</label>
      <button class="destroy" @click=${() => (this.todos = this.todos.filter(({ id }) => id !== todo.id))}></button>
      ${this.edited === todo.id ? edit : ''}
    </li>`;
  }
  render() {
    const left = this.todos.filter(({ done }) => !done).length;
    const visible = this.todos.filter(({ done }) => this.shown === 'All' || (this.shown === 'Completed') === done);
    const markAll = () => (this.todos = this.todos.map((todo) => ({ ...todo, done: left > 0 })));
    const filter = (each) => html`<li><a href="#/${each}" @click=${() => (this.shown = each)}>${each}</a></li>`;
    const clear = html`<button @click=${() => (this.todos = this.todos.filter(({ done }) => !done))}>
      Clear completed
    </button>`;
    const rest = html` <input id="toggle-all" type="checkbox" .checked=${left === 0} @change=${markAll} /><label
        for="toggle-all"
        >Mark all as complete</label
      >
      <ul>
        ${visible.map((todo) => this.item(todo))}
      </ul>
      <footer>
        <span>${left} left</span>
        <ul>
          ${['All', 'Active', 'Completed'].map(filter)}
        </ul>
        ${left < this.todos.length ? clear : ''}
      </footer>`;
    return html`<h1>todos</h1>
      <input class="new-todo" placeholder="What needs to be done?" @keydown=${this.add} />
      ${this.todos.length > 0 ? rest : ''}`;
  }
}

customElements.define('todo-app', TodoApp);
document.getElementById('root').innerHTML = '<todo-app></todo-app>';
const app = document.querySelector('todo-app');
globalThis.truth = () => ({
  todos: app.todos.map((todo) => `${todo.done ? 'x' : '-'} ${todo.title}`),
  shown: app.shown,
});
