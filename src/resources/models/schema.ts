import * as v from 'valibot';

/** 25 MiB in bytes, because requests carry images and audio in base64 (decisions#body-limits). */
export const proxyBodyLimit = 26_214_400;

export const Model = v.pipe(
  v.string(),
  v.maxLength(10_000),
  v.description('Name of a model. With auto, the server chooses.'),
);

export const Tier = v.pipe(v.string(), v.description('realtime (default), batch or playground.'));
