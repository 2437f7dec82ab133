export { orderProblems } from '../../contracts/log-order';
