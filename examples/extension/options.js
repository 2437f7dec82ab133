// The user pastes a pairing token here; the service worker does the rest.
const element = (id) => document.getElementById(id);
const show = ({ text }) => {
  element('state').textContent = text;
};
const ask = async (message) => show(await chrome.runtime.sendMessage(message));

element('pair').addEventListener('submit', (event) => {
  event.preventDefault();
  const token = element('token').value.trim();
  element('token').value = '';
  void ask({ kind: 'pair', api: element('api').value, token });
});
element('forget').addEventListener('click', () => void ask({ kind: 'forget' }));
chrome.storage.session.onChanged.addListener(() => void ask({ kind: 'state' }));
void ask({ kind: 'state' });
