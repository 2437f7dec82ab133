import tinymce from 'tinymce/tinymce';
import 'tinymce/icons/default/icons';
import 'tinymce/models/dom/model';
import 'tinymce/plugins/lists/plugin';
import 'tinymce/skins/content/default/content.js';
import 'tinymce/skins/ui/oxide/content.js';
import 'tinymce/skins/ui/oxide/skin.js';
import 'tinymce/themes/silver/theme';

document.getElementById('root').innerHTML =
  '<h2>Article</h2><textarea id="article">A first draft</textarea><h2 id="label">Teaser</h2><div id="teaser" aria-labelledby="label">Read more</div>';
// `?most=8` keeps no more characters than that.
const most = Number(new URLSearchParams(location.search).get('most'));
const setup = (editor) =>
  editor.on('input', () => {
    const text = editor.getContent({ format: 'text' });
    if (most > 0 && text.length > most) editor.setContent(text.slice(0, most));
  });
const options = { license_key: 'gpl', promotion: false, branding: false, plugins: 'lists', setup };
const skins = { skin_url: 'default', content_css: 'default' };
void tinymce.init({ ...options, ...skins, selector: '#article', height: 250 });
void tinymce.init({ ...options, ...skins, selector: '#teaser', inline: true });
const textOf = (id) => tinymce.get(id)?.getContent({ format: 'text' }) ?? '';
globalThis.truth = () => ({
  article: textOf('article'),
  teaser: textOf('teaser'),
  html: tinymce.get('article')?.getContent() ?? '',
});
