import { createEmptyHistoryState, registerHistory } from '@lexical/history';
import { registerRichText } from '@lexical/rich-text';
import { $createParagraphNode, $createTextNode, $getRoot, createEditor, TextNode } from 'lexical';

document.getElementById('root').innerHTML =
  '<h2 id="label">Post</h2><div id="editor" contenteditable="true" role="textbox" aria-multiline="true" aria-labelledby="label"></div>';
const editor = createEditor({ namespace: 'demo', onError: (error) => console.error(error) });
editor.setRootElement(document.getElementById('editor'));
registerRichText(editor);
registerHistory(editor, createEmptyHistoryState(), 300);
editor.update(() => {
  const text = $createTextNode('A first draft');
  $getRoot().clear().append($createParagraphNode().append(text));
});
// `?most=8` keeps no more characters than that.
const most = Number(new URLSearchParams(location.search).get('most'));
if (most > 0)
  editor.registerNodeTransform(TextNode, (node) => {
    const text = node.getTextContent();
    if (text.length > most) node.setTextContent(text.slice(0, most));
  });
globalThis.truth = () => ({ text: editor.getEditorState().read(() => $getRoot().getTextContent()) });
