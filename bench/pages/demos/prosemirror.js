import { exampleSetup } from 'prosemirror-example-setup';
import { schema } from 'prosemirror-schema-basic';
import { EditorState } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import 'prosemirror-view/style/prosemirror.css';
import 'prosemirror-menu/style/menu.css';
import 'prosemirror-example-setup/style/style.css';

document.getElementById('root').innerHTML = '<h2>Letter</h2><div id="editor"></div>';
const view = new EditorView(document.getElementById('editor'), {
  state: EditorState.create({ schema, plugins: exampleSetup({ schema }) }),
});
globalThis.truth = () => ({ text: view.state.doc.textContent, kind: view.state.doc.firstChild.type.name });
