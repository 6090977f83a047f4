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
  '0050-baseline': 'ba1d7c4083a30e6c19b8a6c6697e28ed0478bc4191d196966732ff763eeeae9c',
  '0051-task-access': 'cb3ea6e8ff63a1752c369185d58477b4e9961dc7c6c19adf6898ef1b026e2ac8',
  '0052-secret-bindings': '4d8da8cc4f15cd463058ead3ced66880a4ca362544b0179a93de59c883883ee2',
  '0053-session-addresses': '65510093df2cdb20bda51de5c53a725072a03a9b9f01d2fe1219c4f5e10ee606',
  '0054-spending': '393d529f981dc04fb05070204ff8a32146e3d554ce16d5919a0b85ad57468ad9',
  '0056-inherited-rejections': '85ed8714c23ef8deb430b5f2393f50579f1071e3e265ebc59704cd963d8c3df2',
  '0057-oauth-fairness': '1abef2d88c6c90d6558707cfa77b01f7242856466b48240ae61803515b60aaff',
  '0059-scenario-changes': '990a87e691556ada5a87b9bc07319cb38fbe83469cb7dd8f05cfe3ef7750fc8b',
  '0060-session-networks': '6e4a73a786bc70c9aeff48846c22d3a6daa69020bdbed99104da7aebe7d2f8bd',
  '0061-approved-conversations': '17585732c33a95511b4ddbfa5449498c2e05ea24239770eb096dc465715dc283',
  '0062-search-text': '3a4ef50acca414a43328067497e278c787639873240325bb1e44843d9a2447db',
  '0063-rejections-elsewhere': 'f22b8aef1ac8a853dd5e5db6b60764d0952e686a9426efc42eee47f9926102b2',
  '0064-lifted-rejections': 'ee5cf0f3145a54d3cb16bf29f07ca81f5ee44cfae0a3047a50bfcf55071e2b54',
  '0065-list-indexes': 'a7eacfb561f362a6d98a09a6cafddf90cdf497572d5e99e6449630dbea1ab840',
  '0066-former-search': '7d8bebd95fed5c1ffd3d4ff0cf90fe7aa837ed0b65376c9a4f0a88cede99ea63',
  '0067-project-time': '0b19c9f9499eb18f5b85dbddedc1d02e6587ea3e5ec538c5a945848b83f57a83',
  '0068-former-values': '9d547a1bba0d5f87327f18b892cc44a4a11a86354e77d1250191016c277638cb',
  '0069-calendar-holds': '846ecb0f5c879fe641c8e0527ff684a2896a6764ba84b04d4b367061535d8d21',
  '0070-voice-calls': 'dfa9aacfe3c6f1b03046c4cb9274f31f37d64b8e8ce9f66ed1613a2441a40ae1',
  '0071-flow-sessions': 'cdde50c8b5190ee1d4f0e59190ffdf1fbef2e5a6cbecee909dc1ada76a6c8ed5',
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
  expect(Object.keys(texts)).toStrictEqual(['0050-baseline', ...migrationNames.slice(1)]);
});
