import * as v from 'valibot';

/** 25 MiB, in bytes: base64 images and audio stand in a request (`decisions` 1). */
export const proxyBodyLimit = 26_214_400;

export const Model = v.pipe(
  v.string(),
  v.maxLength(10_000),
  v.description('A model of this server; auto lets it choose.'),
);

export const Tier = v.pipe(v.string(), v.description('realtime (default), batch or playground.'));
