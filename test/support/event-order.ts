export { logOrderProblems as orderProblems } from '../../bench/log-checks/log-order';
