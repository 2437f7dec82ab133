// cspell:disable
import { withoutAccents } from './fold-name';

/** What is written, looked for or gone on with: it can be taken back, or is asked about by what comes next. */
const WORDS = [
  'search find filter sort show view preview load more go next continue proceed back previous step',
  'log_in sign_in sign_up sign_on sign_out log_out register session auth cart basket bag wishlist',
  'favou?rites? compare language locale currency theme cookies? consent preferences settings save',
  'update add create new edit rename apply calculate check validate verify estimate translate convert',
  'upload start play count increment',
  'suche suchen weiter anmelden speichern hinzufügen in_den_warenkorb rechercher suivant connexion',
  'enregistrer ajouter buscar siguiente guardar añadir cerca avanti accedi salva aggiungi zoeken',
  'volgende opslaan szukaj dalej zaloguj zapisz dodaj найти поиск далее войти сохранить добавить 検索 次へ',
  'ログイン 保存 追加 搜索 下一步 登录 保存 添加 검색 다음 로그인 저장 추가',
].flatMap((line) => line.split(' '));
const WRITES = new RegExp(
  `(?<!\\p{L})(?:${WORDS.map((word) => withoutAccents(word).replaceAll('_', ' ?')).join('|')})(?!\\p{L})`,
  'iu',
);

/** True for a name or an address that says that something is only written, searched or gone on with. */
export function saysWrite(name: string): boolean {
  return WRITES.test(withoutAccents(name.toLowerCase()).replaceAll(/[_/-]/g, ' '));
}
