import Quill from 'quill';
import 'quill/dist/quill.snow.css';

document.getElementById('root').innerHTML =
  '<p id="label">Story</p><div id="editor"></div><button id="send">Send</button><p id="said" role="status"></p>';
const quill = new Quill('#editor', { theme: 'snow' });
document.getElementById('send').onclick = () => (document.getElementById('said').textContent = 'Sent');
globalThis.truth = () => ({
  text: quill.getText().trim(),
  bold: quill
    .getContents()
    .ops.filter(({ attributes }) => attributes?.bold)
    .map(({ insert }) => insert)
    .join(''),
  format: quill.getFormat(),
  said: document.getElementById('said').textContent,
});
