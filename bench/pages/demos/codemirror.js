import { basicSetup, EditorView } from 'codemirror';

document.getElementById('root').innerHTML = '<h2 id="label">Code</h2><div id="editor"></div>';
const view = new EditorView({
  doc: 'let answer = 41;',
  extensions: [basicSetup],
  parent: document.getElementById('editor'),
});
globalThis.truth = () => ({ text: view.state.doc.toString() });
