// A program with the client of `shop`, which has to compile.

import { openShop, Problem, ShopState } from './shop';

const shop = await openShop('http://127.0.0.1:8080', { name: 'cart', token: 't' });
const stop = shop.observe(({ state, connection, isOutdated }) => {
  const first: string | undefined = state.products[0]?.name;
  if (typeof state.checkOut === 'object') console.log(state.checkOut.failed, first, connection, isOutdated);
});
await shop.send({ search: 'ch' });
await shop.send({ add: { productID: 'cheese' } }, { settled: true });
try {
  await shop.send('checkOut');
} catch (error) {
  if (error instanceof Problem) console.log(error.status);
}
const state: ShopState = shop.state;
console.log(state.total, state.ordered.value);
stop();
shop.close();
