import { createApp } from 'vue/dist/vue.esm-bundler.js';
import 'todomvc-app-css/index.css';

// `?filled` begins with two items.
const FIRST =
  location.search === '?filled'
    ? [
        { id: -2, title: 'Milk', done: true },
        { id: -1, title: 'Bread', done: false },
      ]
    : [];

const app = createApp({
  data: () => ({ todos: FIRST, title: '', shown: 'All', edited: null, draft: '', next: 1 }),
  computed: {
    visible() {
      return this.todos.filter(({ done }) => this.shown === 'All' || (this.shown === 'Completed') === done);
    },
    left() {
      return this.todos.filter(({ done }) => !done).length;
    },
  },
  methods: {
    add() {
      if (this.title.trim() !== '') this.todos.push({ id: this.next++, title: this.title.trim(), done: false });
      this.title = '';
    },
    edit(todo) {
      this.edited = todo.id;
      this.draft = todo.title;
      this.$nextTick(() => document.querySelector('.edit').focus());
    },
    save(todo) {
      if (this.edited === todo.id && this.draft.trim() !== '') todo.title = this.draft.trim();
      this.edited = null;
    },
    markAll() {
      const done = this.left > 0;
      for (const todo of this.todos) todo.done = done;
    },
  },
  template: `
    <section class="todoapp">
      <header class="header"><h1>todos</h1>
        <input class="new-todo" placeholder="What needs to be done?" v-model="title" @keydown.enter="add" /></header>
      <section class="main" v-if="todos.length">
        <input id="toggle-all" class="toggle-all" type="checkbox" :checked="left === 0" @change="markAll" />
        <label for="toggle-all">Mark all as complete</label>
        <ul class="todo-list">
          <li v-for="todo in visible" :key="todo.id" :class="{ completed: todo.done, editing: edited === todo.id }">
            <div class="view">
              <input class="toggle" type="checkbox" v-model="todo.done" />
              <label @dblclick="edit(todo)">{{ todo.title }}</label>
              <button class="destroy" @click="todos = todos.filter((other) => other !== todo)"></button>
            </div>
            <input v-if="edited === todo.id" class="edit" v-model="draft" @blur="save(todo)" @keydown.enter="save(todo)" @keydown.escape="edited = null" />
          </li>
        </ul>
      </section>
      <footer class="footer" v-if="todos.length">
        <span class="todo-count">{{ left }} left</span>
        <ul class="filters">
          <li v-for="each in ['All', 'Active', 'Completed']"><a :href="'#/' + each" :class="{ selected: each === shown }" @click="shown = each">{{ each }}</a></li>
        </ul>
        <button class="clear-completed" v-if="left < todos.length" @click="todos = todos.filter(({ done }) => !done)">Clear completed</button>
      </footer>
    </section>`,
}).mount('#root');
globalThis.truth = () => ({
  todos: app.todos.map((todo) => `${todo.done ? 'x' : '-'} ${todo.title}`),
  shown: app.shown,
});
