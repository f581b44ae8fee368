import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { migrations } from './migrations.ts'

/** SHA-256 of each migration's statements, as databases out there have run them. A new migration adds its line here. */
const shipped: Readonly<Record<string, string>> = {
  '001-first': '01f7486311dce93b0e44d3ac631d5e1ea1ffa1903cfea0e1e7994db268d04cf1',
  '002-refund-tries': 'cdbc9a9cc4e7f35d25826f2788bc7606ad2bf136d2b71755c1cd9aa0f1deb6e3',
  '003-cursors-of-accounts': '25469024c6acbbfe5ee969ed0f35b4c4ea2f4b0cc8bbbcd2835fd3910a12a1ba',
  '004-leases-of-orders': 'e5369e554aee81cf72113c083f4b83a4d2871fc0902b741a0feda2456fe884fa',
  '005-leases-of-jobs-and-deliveries': '3d1b10ba4e5250413fa4b99eb18689c8bb9d17d2cf059fad79a283391f7b9b2a',
  '006-promised': '80e0693b9d1f7d920a12ba97952417523232f3172c52be1b6885b541b9b334b8',
  '007-several-nodes': '9b6ef339f948f04cd119067a8c704192e1a9522639fffe73097c8a3b1121dd8a',
  '008-corrections': '998ff511d0060683451b1c1ef4645bd4cd5bb92961703e8e7a871aea7f84f886',
  '009-corrected-files': '165816f94db6a4fa087b31b9019352cd4a975f32789c1d8dabacecfa2daca380',
  '010-review': '3856265fe9473ab8e4c596464b7425465894a715ad69f32586c59e1e88faec1e',
  '011-vocabulary': 'bc226072213bbd56abc61fbd0c79d4f5cf61d0c7987075119accd2e132f8fe0f',
  '012-cards-of-charges': '88e6f621d1934b3247306ba9e8c0345c60bd5026923d28e17c42a141ff78222f',
  '013-account-log': '88b3dd81155a54d2b0f0a9f2fcbecbb4ea3443a52bd75eaffa82e7269ab94290',
  '014-search': '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945',
  '015-labels': '4a66d5954b62790f992ae8bd776d28bd10feb7010a6b603d0534af6a77817d55',
  '016-projects': '26c3a387f4b182720350d694f3112fed7b5198a4ca7c98575b7362f399e42cb0',
  '017-recognitions': '48d74638b44830ac4c46e78fd58a12175916e06072b7074535a398a8a5081d4a',
  '018-keeping': '8816b2cc57aa1ff4d48a331710472e781ee52d1c086232932c480accb8ad48d7',
  '019-search-by-files': '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945',
  '020-work': '89264972a7366c4aa98dbb1e1f38329bab2a473157aa147798227f8290f0e69a',
  '021-parts-of-uploads': '75de71a0b67bb42e3e95bdb616832bef5bbcffe3ed20c9460a09b891aadbc6d7',
  '022-pace-of-nodes': 'b0ac90140f270a87fbe46618294dcb2626870ab9d02933dddf8e79dc59dc7cb9',
  '023-pay': '8e75de5e123b67c922290d0573285b0927e76b15ec345d9cbb1a644b5c8efcd4',
  '024-recognition-of-nodes': '8f15c90f136b02bfd63368220b5fb0ac768ae4ef0b436fd47b754dc8ad57ab93',
}

it('a migration that has shipped is never changed: another one follows it', () => {
  const digests = migrations.map(({ name, sqlite }) => [
    name,
    createHash('sha256').update(JSON.stringify(sqlite)).digest('hex'),
  ])
  expect(digests).toEqual(Object.entries(shipped))
})
