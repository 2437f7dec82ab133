import { EvidenceLog } from '../../../worker/keeper/evidence/evidence-log';
import { Requests } from '../../../worker/keeper/cdp/requests';

const POST = { requestId: '1', request: { method: 'POST', url: 'http://shop.test/orders' }, type: 'Fetch' };

function watched(): { log: EvidenceLog; requests: Requests } {
  const log = new EvidenceLog();
  log.watch('chrome');
  return { log, requests: new Requests(() => log, 'chrome') };
}

test('a response that a page may not read has its status, whichever of both Chrome reports first', () => {
  const { log, requests } = watched();
  requests.sent('page', undefined, POST);
  requests.failed('page', '1', 'net::ERR_FAILED');
  expect(log.evidence().requests).toMatchObject([{ failure: 'net::ERR_FAILED' }]);
  requests.answered('page', '1', 200);
  expect(log.evidence().requests).toMatchObject([{ status: 200 }]);
  expect(log.evidence().requests[0]).not.toHaveProperty('failure');

  requests.sent('page', undefined, { ...POST, requestId: '2' });
  requests.answered('page', '2', 201);
  requests.failed('page', '2', 'net::ERR_FAILED');
  expect(log.evidence().requests[1]).toMatchObject({ status: 201 });
});
