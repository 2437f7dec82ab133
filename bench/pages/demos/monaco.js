import * as monaco from 'monaco-editor';

document.getElementById('root').innerHTML =
  '<h2>Script</h2><div id="editor" style="width: 600px; height: 200px; border: 1px solid"></div>';
// Without a language it needs no worker but that which finds words and links.
globalThis.MonacoEnvironment = { getWorker: () => new Worker(URL.createObjectURL(new Blob(['']))) };
const editor = monaco.editor.create(document.getElementById('editor'), {
  value: 'let answer = 41;\nlet other = 2;',
  autoClosingBrackets: 'always',
});
// `?most=8` keeps no more characters than that.
const most = Number(new URLSearchParams(location.search).get('most'));
if (most > 0)
  editor.onDidChangeModelContent(() => {
    if (editor.getValue().length > most) editor.setValue(editor.getValue().slice(0, most));
  });
globalThis.truth = () => ({ text: editor.getValue() });
