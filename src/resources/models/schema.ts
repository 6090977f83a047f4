import * as v from 'valibot';
import type { ToolErrors } from '../../operation/define.ts';

/** 25 MiB in bytes, because requests carry images and audio in base64 (decisions#body-limits). */
export const proxyBodyLimit = 26_214_400;

export const Model = v.pipe(
  v.string(),
  v.maxCodePoints(10_000),
  v.description('Name of a model. With auto, the server chooses.'),
);

/** Null is the default, as clients send it for what is not set. */
export const Tier = v.pipe(v.nullable(v.string()), v.description('realtime (default), batch or playground.'));

/** Besides the usual errors, callers see those of the model's server that concern their request (decisions#model-proxy). */
export const modelErrors = {
  404: ['not_found'],
  409: ['in_use'],
  415: ['invalid_request'],
  502: ['internal_error'],
} as const satisfies ToolErrors;
