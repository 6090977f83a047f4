import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { migrationNames } from '../../src/postgres/migrations/index.ts';

/**
 * The SHA-256 of the text of each migration. To add a migration, add its line: the difference that the failing test prints
 * holds the hash. Never change the line of a migration that databases have applied: write a further migration instead.
 */
const texts: Record<string, string> = {
  '0001-foundation': '4767f973d2f88d5d2496c4ab35cf7c3f8c71723dda72ad86b083a9f04ccaa644',
  '0002-conversations': 'f76a7b873d0096fea8d74f6e7ad114486121e16a081f659902866e8e3b3c89bb',
  '0003-secrets': '24b7a45cfa89803fa2fbb517ad7ddbc502730dd40ccd4d5c03fa44b5d684d953',
  '0004-web-agents': '7fb0478bbaa607d24c7b5d5e738d0aabb139ef5e8f89369183d5c8b675a7343a',
  '0005-phone-numbers': '80a966fa88b9c5b1dc055b99d878cb2e62dc02c4ece58af3d1b3a01f4a642c4f',
  '0006-integration-credentials': '8b65f1113caa690fd22ad731c3ef10e97830bd2d16ca96aefe1d468fdc1596b5',
  '0007-usage': '106dc2341ce5571d6260bf81cb4ac43e12b38271d5a06273f14502b7b9d30ae8',
  '0008-voices': 'c7dce3a9905adbf8d7b71bee35640227791ff8a8addabe80f7041fc3bbfdc849',
  '0009-knowledge': 'd4348ef2ba912bd9cdf2ba5c9fdcf21d4c03c7020a1d569a590f2905856b8e25',
  '0010-knowledge-search': 'b85ae9ee053ed36b721e4d7f03c299f65a0db3bfa0d826a17968c06b59bd5200',
  '0011-knowledge-removals': '5ecbee29794c97855028554a348e408a49b6f61ebc965f83982a967c4d33270b',
  '0012-knowledge-embedding': 'ae6b67053309a12ffd32841f74e59ca9f5dee3cfa9d9523921a03eaeb9c5bd55',
  '0013-flows-of-profile': 'c68a2399e74e8374557feba159093a29f826b4261190b282b09c9445c40c835e',
  '0014-rate-limits': 'f907af7199cc1d4c4c1dc5133632329f91967e1523a5a1685c48ebc86f21774f',
  '0015-knowledge-details': 'f596e6974b19cd34656d40a5784b9380b0ab81e4b0ff64ed9e8cf7d8777bca2a',
  '0016-integration-unverified': '1167f7d395a51889cf2e7cc30e7255df199b6c5a223b90baa7530343d469b2db',
  '0027-project-search': '0ff2186073401e5e16c184ac8bfc6bb746993592e0a41e3f08ad5f125b65f2f4',
  '0028-changes': '9c08c483c1cf01ba8b6bb8149e8ee96f89807de43d6085f05da7823d21049f53',
  '0029-restricted-keys': '83f465900a136867397782c08c3ffd9c1c9718216d0f9c532b33c856fc698b8c',
  '0030-require-disclosure': 'e789da94c46d462b687d1ce6572aec34b80403f2cce8b9f66b9e176b68916a41',
  '0031-version-authors': '066e283d181d7257a6719599fd00365e4774ca424191d7cc43c40abfb205eb07',
  '0032-search-pending': '1e5d4034e55e11522d436d289744517ee59eadbc62e122e417fa50b677f500f1',
  '0034-uploads': '7e7ccaca192bb3ced4ca9f23cdcfb1c276be1a152bcfd5872e6708b937a2987d',
  '0036-scenarios': '719a3438faafb80876968cc23116c78b0baacd7ea1858d9d00b5a27c44df9d56',
  '0038-trash-resources': 'dc4e9c5cc209a461c30733b2a282b470301727e12b3f12555a14df623e7d7bee',
  '0040-sessions': '81e5bb228c192190f67fc815f84ffd3c530447d4288903379b7671243d7f79ab',
  '0042-session-records': 'ad9ae27d7b067e42f0016c5395a715c8296cbee022eb71a763a46c792317a0ec',
  '0043-handover': '8479d99fad5e319d74276089243dda257b3b22d52794dc973ead32b09d2a4604',
  '0044-oauth': '918916c277c908a765c9dce1cfbb6cfff6798e47ab54aabe9a2be77b25b4520f',
  '0045-oauth-sign-ins': '00f44ec169df3f48855bc146b08a6a611f87b1d4b3850b9d654b995a8ebb1a45',
  '0046-secret-requests': '599ff58aa424b98df2807ffbd98391be424cb04acc46cb717e13e82c96b83544',
  '0047-live-periods-and-workers': '24e99bd732a769cbf12ff4d5a09cfa1ad96d4048e52c1f302be07a3ac7213f05',
  '0048-tasks': 'ad2aa26ae582d39c689472e048784aa12b474202276702f954788fe860b9a617',
  '0049-oauth-clients': 'a398f38a6c0662ce0011103e788009e94ebdc238e18445d46e225916be35c513',
  '0050-rejections': 'd8a3efacc2913c56c7ce11347ffcd85bb99a3b50e7e7bebbaffb5d2716634262',
  '0051-task-access': 'cb3ea6e8ff63a1752c369185d58477b4e9961dc7c6c19adf6898ef1b026e2ac8',
  '0052-secret-bindings': '4d8da8cc4f15cd463058ead3ced66880a4ca362544b0179a93de59c883883ee2',
  '0053-session-addresses': '65510093df2cdb20bda51de5c53a725072a03a9b9f01d2fe1219c4f5e10ee606',
  '0054-spending': '393d529f981dc04fb05070204ff8a32146e3d554ce16d5919a0b85ad57468ad9',
  '0056-inherited-rejections': '85ed8714c23ef8deb430b5f2393f50579f1071e3e265ebc59704cd963d8c3df2',
  '0057-oauth-fairness': '1abef2d88c6c90d6558707cfa77b01f7242856466b48240ae61803515b60aaff',
  '0059-scenario-changes': '990a87e691556ada5a87b9bc07319cb38fbe83469cb7dd8f05cfe3ef7750fc8b',
  '0060-session-networks': '6e4a73a786bc70c9aeff48846c22d3a6daa69020bdbed99104da7aebe7d2f8bd',
  '0061-approved-conversations': '17585732c33a95511b4ddbfa5449498c2e05ea24239770eb096dc465715dc283',
  '0062-search-text': '4aca82279099fb467ed32960977209f95aa22bf5e2cc3f71a68b78c42a027a17',
  '0063-rejections-elsewhere': 'f22b8aef1ac8a853dd5e5db6b60764d0952e686a9426efc42eee47f9926102b2',
  '0064-lifted-rejections': 'ee5cf0f3145a54d3cb16bf29f07ca81f5ee44cfae0a3047a50bfcf55071e2b54',
  '0065-list-indexes': 'a7eacfb561f362a6d98a09a6cafddf90cdf497572d5e99e6449630dbea1ab840',
};

test('the text of a migration never changes', () => {
  const folder = path.resolve(import.meta.dirname, '../../src/postgres/migrations');
  const files = readdirSync(folder).filter((file) => file !== 'index.ts');
  const found = files.map((file): [name: string, hash: string] => [
    path.basename(file, '.ts'),
    createHash('sha256')
      .update(readFileSync(path.join(folder, file)))
      .digest('hex'),
  ]);
  expect(Object.fromEntries(found)).toStrictEqual(texts);
  expect(Object.keys(texts)).toStrictEqual([...migrationNames]);
});
