// Select2, Flatpickr and jQuery on one page.
import jQuery from 'jquery';
import select2 from 'select2';
import flatpickr from 'flatpickr';
import 'select2/dist/css/select2.css';
import 'flatpickr/dist/flatpickr.css';

globalThis.jQuery = jQuery;
if (typeof select2 === 'function') select2(globalThis, jQuery);

const options = (names) => names.map((name) => `<option>${name}</option>`).join('');
document.getElementById('root').innerHTML = `
  <p><label for="state">State</label> <select id="state" style="width: 200px">${options(['Alaska', 'Hawaii', 'Nevada', 'Oregon'])}</select></p>
  <p><label for="tags">Tags</label> <select id="tags" multiple style="width: 200px">${options(['Red', 'Green', 'Blue'])}</select></p>
  <p><label for="day">Day</label> <input id="day" /></p>
  <p><label for="start">Start</label> <input id="start" /></p>
  <ul id="list"><li>Milk <a class="remove">remove</a></li><li>Bread <a class="remove">remove</a></li></ul>
  <p>Weeks: <input id="weeks" /></p>`;
jQuery('#state').select2();
jQuery('#tags').select2();
flatpickr('#day', {});
flatpickr('#start', { enableTime: true, time_24hr: true });
jQuery('#list').on('click', '.remove', ({ target }) => jQuery(target).parent().remove());
globalThis.truth = () => ({
  state: jQuery('#state').val(),
  tags: jQuery('#tags').val(),
  day: jQuery('#day').val(),
  start: jQuery('#start').val(),
  weeks: jQuery('#weeks').val(),
  list: [...document.querySelectorAll('#list li')].map((item) => item.firstChild.textContent.trim()),
});
