// Each marked line must not compile: a renamed case, a wrong value, what is only read, and what is not there.

import { openShop } from './shop';

const shop = await openShop('http://127.0.0.1:8080');
await shop.send({ serach: 'ch' }); // wrong
await shop.send('checkout'); // wrong
await shop.send({ add: { productID: 3 } }); // wrong
shop.state.total = 3; // wrong
console.log(shop.state.totl); // wrong
