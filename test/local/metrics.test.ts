import { metricsOf } from '../../cli/stack/start-processes';

test('each worker of the local stack serves its metrics at its own port, counted from the configured one', () => {
  const names = ['keeper', 'engine-1', 'engine-2', 'browser-1', 'api'];
  const addresses = names.map((name, index) => {
    const before = names.slice(0, index).map((each) => ({ name: each }));
    return metricsOf(name, '127.0.0.1:9464', before).SUREFOOT_METRICS;
  });
  expect(addresses).toEqual([undefined, '127.0.0.1:9464', '127.0.0.1:9465', '127.0.0.1:9466', undefined]);
  expect(metricsOf('engine-1', undefined, [])).toEqual({});
});
