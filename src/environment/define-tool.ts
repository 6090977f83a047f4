import { toolDefiner } from '../tool/define.ts';
import type { Environment } from './context.ts';

/** Defines an operation of Parley: its handler gets Parley's services and stores. */
export const defineTool = toolDefiner<Environment>();
